//! Which window system the window is opened through, where Linux offers two. winit 0.30 takes no drops from Wayland, so X11 (XWayland)
//! is the better one where a Wayland session has it.

use std::ffi::OsString;

/// A window system of Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowSystem {
    X11,
    Wayland,
}

/// Why no dropped files arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoDrops {
    /// The window is Wayland's though there is an X server.
    WaylandChosen,
    /// Wayland alone is offered.
    WaylandAlone,
}

/// Window systems that the session offers. X11 is looked for only beside Wayland.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offered {
    pub wayland: bool,
    pub x11: bool,
}

impl Offered {
    /// What this session offers. Only Linux has a choice: nothing elsewhere.
    pub fn here() -> Self {
        if cfg!(target_os = "linux") { Self::of(|name| std::env::var_os(name), answers) } else { Self::default() }
    }

    /// What is offered by these environment variables and by the X servers of this machine: `answers` says whether the one of a number
    /// is there. An X server on another machine is none, since it is not part of the Wayland session.
    pub fn of(variable: impl Fn(&str) -> Option<OsString>, answers: impl Fn(u32) -> bool) -> Self {
        let value = |name: &str| variable(name).filter(|value| !value.is_empty());
        let display = value("DISPLAY").and_then(|display| local_display(display.to_str()?));
        let wayland = value("WAYLAND_DISPLAY").or_else(|| value("WAYLAND_SOCKET")).is_some();
        // Nobody is asked where there is no choice: an X server that only we talk to begins anew when we hang up, and refuses meanwhile.
        Self { wayland, x11: wayland && display.is_some_and(answers) }
    }

    /// The system to use: the one that was asked for, X11 where there is a choice, and `None` where there is none to make.
    pub fn choose(self, asked: Option<WindowSystem>) -> Option<WindowSystem> {
        asked.or_else(|| (self.wayland && self.x11).then_some(WindowSystem::X11))
    }

    /// Why a window of Wayland gets no drops.
    pub fn why_no_drops(self) -> NoDrops {
        if self.x11 { NoDrops::WaylandChosen } else { NoDrops::WaylandAlone }
    }
}

/// The number of an X server of this machine: `:1`, `unix:1.0`.
fn local_display(display: &str) -> Option<u32> {
    let (host, rest) = display.rsplit_once(':')?;
    let number = rest.split_once('.').map_or(rest, |(number, _screen)| number);
    matches!(host, "" | "unix").then(|| number.parse().ok())?
}

/// Whether an X server takes connections at one of the two places where the X libraries look.
#[cfg(target_os = "linux")]
fn answers(number: u32) -> bool {
    use std::os::{
        linux::net::SocketAddrExt as _,
        unix::net::{SocketAddr, UnixStream},
    };
    let path = format!("/tmp/.X11-unix/X{number}");
    let at_abstract = || SocketAddr::from_abstract_name(&path).and_then(|at| UnixStream::connect_addr(&at));
    UnixStream::connect(&path).or_else(|_| at_abstract()).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn answers(_: u32) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is offered by `DISPLAY` and `WAYLAND_DISPLAY` where the X servers of these numbers are there.
    fn offered(display: &str, wayland: &str, servers: &[u32]) -> Offered {
        let variable = |name: &str| match name {
            "DISPLAY" => Some(display.into()),
            "WAYLAND_DISPLAY" => Some(wayland.into()),
            _ => None,
        };
        Offered::of(variable, |number| servers.contains(&number))
    }

    #[test]
    fn no_x_server_is_asked_where_there_is_no_choice() {
        let variable = |name: &str| (name == "DISPLAY").then(|| ":0".into());
        assert_eq!(Offered::of(variable, |number| panic!("{number} is asked")), Offered::default());
    }

    #[test]
    fn x11_is_chosen_where_wayland_has_it_too() {
        use WindowSystem::{Wayland, X11};
        let table: [(&str, &str, &[u32], Option<WindowSystem>); 12] = [
            (":0", "wayland-0", &[0], Some(X11)),
            (":12.0", "wayland-0", &[12], Some(X11)),
            ("unix:1", "wayland-0", &[1], Some(X11)),
            // The server is gone, or another one is there.
            (":0", "wayland-0", &[], None),
            (":0", "wayland-0", &[1], None),
            // On another machine.
            ("localhost:10.0", "wayland-0", &[10], None),
            // One of the two, or none.
            (":0", "", &[0], None),
            ("", "wayland-0", &[0], None),
            ("", "", &[0], None),
            // No displays.
            (":", "wayland-0", &[0], None),
            ("0", "wayland-0", &[0], None),
            (":99999999999", "wayland-0", &[0], None),
        ];
        for (display, wayland, servers, expected) in table {
            let offered = offered(display, wayland, servers);
            assert_eq!(offered.choose(None), expected, "{display:?} {wayland:?} {servers:?}");
            for asked in [X11, Wayland] {
                assert_eq!(offered.choose(Some(asked)), Some(asked), "{display:?} {wayland:?} {servers:?}");
            }
        }
    }

    #[test]
    fn a_socket_that_was_handed_over_is_wayland_too() {
        let variable = |name: &str| (name == "WAYLAND_SOCKET").then(|| "7".into());
        assert_eq!(Offered::of(variable, |_| true), Offered { wayland: true, x11: false });
        assert_eq!(Offered::of(|_| None, |_| true), Offered::default());
    }

    #[test]
    fn why_no_drops_arrive_depends_on_whether_there_is_an_x_server() {
        assert_eq!(offered(":0", "wayland-0", &[0]).why_no_drops(), NoDrops::WaylandChosen);
        assert_eq!(offered(":0", "wayland-0", &[]).why_no_drops(), NoDrops::WaylandAlone);
    }

    /// A socket that listens where an X server would, by its abstract name: one of a number that no server has.
    #[test]
    #[cfg(target_os = "linux")]
    fn servers_are_found_by_their_abstract_names() {
        use std::os::{
            linux::net::SocketAddrExt as _,
            unix::net::{SocketAddr, UnixListener},
        };
        let number = 4_000_000 + std::process::id();
        assert!(!answers(number));
        let at = SocketAddr::from_abstract_name(format!("/tmp/.X11-unix/X{number}")).unwrap();
        let listener = UnixListener::bind_addr(&at).unwrap();
        assert!(answers(number));
        drop(listener);
        assert!(!answers(number));
    }
}
