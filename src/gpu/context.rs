use super::GpuError;
use super::program_key::{ProgramKey, Programs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Most different messages kept between two calls of [`GpuContext::take_errors`].
const MAX_ERRORS: usize = 64;

/// Which device to open, and what to leave unused on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContextOptions {
    /// Prefer a Vulkan device that runs on the CPU: pictures that are equal from machine to machine, nearly.
    pub software: bool,
    /// Skin on the CPU though the device could do it.
    pub skin_on_cpu: bool,
}

/// A device with its queue and what it can do.
pub struct GpuContext {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
    limits: wgpu::Limits,
    vertex_storage: bool,
    state: Arc<State>,
    probe: wgpu::Buffer,
    /// Shaders that were asked for, by number.
    programs: Mutex<Programs>,
}

/// What callbacks write.
#[derive(Default)]
struct State {
    lost: AtomicBool,
    errors: Mutex<Vec<String>>,
}

impl State {
    fn add_error(&self, message: String) {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        if errors.len() < MAX_ERRORS && !errors.contains(&message) {
            log::error!("graphics device: {message}");
            errors.push(message);
        }
    }
}

impl GpuContext {
    /// A device without a window: Vulkan, Metal or Direct3D first, hardware before software, then GL. `WGPU_BACKEND` narrows
    /// the choice.
    pub fn headless() -> Result<Arc<Self>, GpuError> {
        Self::open(ContextOptions::default())
    }

    /// A device without a window.
    pub fn open(options: ContextOptions) -> Result<Arc<Self>, GpuError> {
        let chosen = wgpu::Backends::from_env();
        let mut reasons = Vec::new();
        // GL is asked only where nothing else answers: its start alone takes time and grumbles on standard error.
        let rounds =
            chosen.map_or_else(|| vec![wgpu::Backends::PRIMARY, wgpu::Backends::GL], |backends| vec![backends]);
        for backends in rounds {
            let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
            descriptor.backends = backends;
            let instance = wgpu::Instance::new(descriptor);
            let mut adapters = pollster::block_on(instance.enumerate_adapters(backends));
            adapters.sort_by_key(|adapter| rank(&adapter.get_info(), options.software));
            for adapter in &adapters {
                match pollster::block_on(adapter.request_device(&Self::device_descriptor(adapter))) {
                    Ok((device, queue)) => return Ok(Self::join(adapter, device, queue, options.skin_on_cpu)),
                    Err(error) => reasons.push(format!("{}: {error}", adapter.get_info().name)),
                }
            }
        }
        Err(GpuError::NoDevice(match (reasons.is_empty(), chosen) {
            (false, _) => reasons.join("; "),
            (true, Some(_)) => "no driver found for the graphics API in WGPU_BACKEND".into(),
            (true, None) => "no Vulkan or OpenGL driver found".into(),
        }))
    }

    /// Joins a device that somebody else owns, and listens to its errors and its loss.
    pub fn from_wgpu(adapter: &wgpu::Adapter, device: wgpu::Device, queue: wgpu::Queue) -> Arc<Self> {
        Self::join(adapter, device, queue, false)
    }

    fn join(adapter: &wgpu::Adapter, device: wgpu::Device, queue: wgpu::Queue, skin_on_cpu: bool) -> Arc<Self> {
        let state = Arc::new(State::default());
        let on_error = state.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| on_error.add_error(error.to_string())));
        let on_loss = state.clone();
        device.set_device_lost_callback(move |_, message| {
            log::warn!("the graphics device was lost: {message}");
            on_loss.lost.store(true, Ordering::Release);
        });
        let limits = device.limits();
        let vertex_storage = !skin_on_cpu
            && limits.max_storage_buffers_per_shader_stage >= 6
            && adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::VERTEX_STORAGE);
        let probe = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("probe"),
            size: 4,
            usage: wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut info = adapter.get_info();
        // Browsers do not tell.
        if info.name.is_empty() {
            info.name = if info.backend == wgpu::Backend::BrowserWebGpu { "WebGPU" } else { "WebGL" }.to_owned();
        }
        Arc::new(Self { info, limits, vertex_storage, state, probe, device, queue, programs: Mutex::default() })
    }

    /// What to ask of a device: the adapter's own limits, and no feature that could be missing.
    pub fn device_descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
        wgpu::DeviceDescriptor {
            label: Some("bonebox"),
            required_features: wgpu::Features::empty(),
            required_limits: adapter.limits(),
            experimental_features: wgpu::ExperimentalFeatures::disabled(),
            // Small blocks of memory: the larger ones of the default stay resident, empty, after everything was closed.
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            trace: wgpu::Trace::Off,
        }
    }

    /// Returns the name of the graphics adapter.
    pub fn adapter_name(&self) -> &str {
        &self.info.name
    }

    /// `vulkan`, `metal`, `dx12`, `gl`.
    pub fn backend_name(&self) -> &str {
        self.info.backend.to_str()
    }

    /// Name and version of the driver, as far as it tells.
    pub fn driver_text(&self) -> String {
        let parts = [self.info.driver.as_str(), self.info.driver_info.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Whether the device runs on the CPU.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// Samples a pixel that keep this device fluent.
    pub fn default_samples(&self) -> u32 {
        if self.is_software() { 1 } else { 4 }
    }

    /// Whether skinning runs in the vertex stage.
    pub fn skins_on_gpu(&self) -> bool {
        self.vertex_storage
    }

    /// Whether the loss of the device was noticed.
    pub fn is_lost(&self) -> bool {
        self.state.lost.load(Ordering::Acquire)
    }

    /// Looks whether the device is alive. A loss is told by a callback in a later poll only, and until then creation and
    /// submission stay silent; a write of four bytes is what fails.
    pub fn probe(&self) -> bool {
        let _ = self.device.poll(wgpu::PollType::Poll);
        // A browser tells of a loss by itself.
        if self.is_lost() || cfg!(target_arch = "wasm32") {
            return !self.is_lost();
        }
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let written = wgpu::BufferSize::new(4).and_then(|size| self.queue.write_buffer_with(&self.probe, 0, size));
        let alive = written.is_some();
        drop(written);
        let alive = self.answer(scope.pop()).is_none() && alive;
        if !alive {
            self.state.lost.store(true, Ordering::Release);
        }
        alive
    }

    /// Errors nobody asked for since the last call, each once.
    pub fn take_errors(&self) -> Vec<String> {
        std::mem::take(&mut *self.state.errors.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Gives the device up, as a driver reset would.
    pub fn destroy(&self) {
        self.device.destroy();
    }

    /// Returns the device of `wgpu`.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// Returns the queue of the device.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    pub(super) fn limits(&self) -> &wgpu::Limits {
        &self.limits
    }

    /// The number of a generated shader, the same for equal keys.
    pub(super) fn program(&self, key: ProgramKey) -> u32 {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner).number(key)
    }

    pub(super) fn program_key(&self, number: u32) -> Option<Arc<ProgramKey>> {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner).key(number)
    }

    /// What was refused, which is known at once.
    #[cfg(not(target_arch = "wasm32"))]
    #[expect(clippy::unused_self, reason = "in browsers, this function stores errors in the context")]
    fn answer(&self, refused: impl Future<Output = Option<wgpu::Error>> + 'static) -> Option<wgpu::Error> {
        pollster::block_on(refused)
    }

    /// A browser answers later: what it refuses is among the errors that nobody asked for.
    #[cfg(target_arch = "wasm32")]
    fn answer(&self, refused: impl Future<Output = Option<wgpu::Error>> + 'static) -> Option<wgpu::Error> {
        let state = self.state.clone();
        wasm_bindgen_futures::spawn_local(async move {
            if let Some(error) = refused.await {
                state.add_error(error.to_string());
            }
        });
        None
    }

    /// Runs what may be refused, and turns the refusal into an error.
    pub(super) fn scoped<T>(&self, what: &str, make: impl FnOnce() -> T) -> Result<T, GpuError> {
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let made = make();
        let validation = self.answer(validation.pop());
        let memory = self.answer(memory.pop());
        if self.is_lost() {
            return Err(GpuError::Lost);
        }
        match validation.or(memory) {
            None => Ok(made),
            Some(_) if !self.probe() => Err(GpuError::Lost),
            Some(error) => Err(GpuError::Refused { what: what.to_owned(), message: error.to_string() }),
        }
    }
}

/// Smaller is tried earlier.
fn rank(info: &wgpu::AdapterInfo, software: bool) -> (u8, u8) {
    let backend = u8::from(info.backend == wgpu::Backend::Gl);
    let device = match info.device_type {
        wgpu::DeviceType::DiscreteGpu => 1,
        wgpu::DeviceType::IntegratedGpu => 2,
        wgpu::DeviceType::VirtualGpu => 3,
        wgpu::DeviceType::Other => 4,
        wgpu::DeviceType::Cpu => {
            if software {
                0
            } else {
                5
            }
        }
    };
    (backend, device)
}
