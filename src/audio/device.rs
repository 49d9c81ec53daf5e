//! The sound device, owned by a thread: opening one may take its time.

use super::stream::{Stream, Trouble, Waker, lock};
use rodio::{ChannelCount, CpalError, CpalErrorKind, DeviceSinkBuilder, MixerDeviceSink, SampleRate, Source};
use std::{
    sync::mpsc::{Receiver, Sender, channel},
    time::Duration,
};

impl Source for Stream {
    fn current_span_len(&self) -> Option<usize> {
        None
    }

    fn channels(&self) -> ChannelCount {
        ChannelCount::new(self.pcm().channels).unwrap_or(ChannelCount::MIN)
    }

    fn sample_rate(&self) -> SampleRate {
        SampleRate::new(self.pcm().rate_hz).unwrap_or(SampleRate::MIN)
    }

    fn total_duration(&self) -> Option<Duration> {
        None
    }
}

/// The thread that owns the device, once there is one.
pub(super) struct Device {
    /// `None` until something is played.
    thread: Option<Sender<Stream>>,
    trouble: Trouble,
    wake: Waker,
}

impl Device {
    pub fn new(trouble: Trouble, wake: Waker) -> Self {
        Self { thread: None, trouble, wake }
    }

    /// Hands a stream to the device. What goes wrong is told later.
    pub fn play(&mut self, stream: Stream) {
        let stream = match &self.thread {
            Some(thread) => match thread.send(stream) {
                Ok(()) => return,
                // The thread has given up on its device: a new one tries again.
                Err(returned) => returned.0,
            },
            None => stream,
        };
        let (sender, receiver) = channel();
        let (trouble, wake) = (self.trouble.clone(), self.wake.clone());
        let thread = std::thread::Builder::new().name("sound".to_owned());
        match thread.spawn(move || run(&receiver, &trouble, &wake)) {
            Ok(_) => {
                let _ = sender.send(stream);
                self.thread = Some(sender);
            }
            Err(error) => *lock(&self.trouble) = Some(format!("Cannot play sound: {error}")),
        }
    }
}

/// Ends when nobody sends any more, or when the device fails.
fn run(streams: &Receiver<Stream>, trouble: &Trouble, wake: &Waker) {
    let Ok(mut next) = streams.recv() else { return };
    let device = match open(trouble, wake) {
        Ok(device) => device,
        Err(error) => {
            *lock(trouble) = Some(format!("Cannot open a sound device: {error}"));
            wake();
            return;
        }
    };
    loop {
        device.mixer().add(next);
        match streams.recv() {
            Ok(stream) if lock(trouble).is_none() => next = stream,
            _ => return,
        }
    }
}

fn open(trouble: &Trouble, wake: &Waker) -> Result<MixerDeviceSink, rodio::DeviceSinkError> {
    let (trouble, wake) = (trouble.clone(), wake.clone());
    let failed = move |error: CpalError| {
        log::warn!("sound device error: {error}");
        if matches!(error.kind(), CpalErrorKind::DeviceNotAvailable | CpalErrorKind::StreamInvalidated) {
            *lock(&trouble) = Some(format!("The sound device stopped: {error}"));
            wake();
        }
    };
    let mut device = DeviceSinkBuilder::from_default_device()?.with_error_callback(failed).open_sink_or_fallback()?;
    device.log_on_drop(false);
    Ok(device)
}
