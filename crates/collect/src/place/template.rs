//! Templates of places, such as `{config}/Claude/claude_desktop_config.json`, and what they mean on a machine.

use std::path::PathBuf;

use super::System;
use super::homes::{Home, Layout};

/// Whom a place is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Whose {
    /// The whole machine.
    Machine,
    /// A user, by the number of the home.
    User(usize),
    /// A project.
    Project,
}

/// A template, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Template<'t> {
    system: Option<System>,
    base: Base<'t>,
    /// What follows the beginning.
    pub(crate) rest: &'t str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Base<'t> {
    Home,
    Config,
    Xdg,
    Local,
    Editor,
    /// A folder in the home that a variable moves.
    Moved {
        variable: &'t str,
        folder: &'t str,
    },
    Project,
    Root,
}

/// A folder to look below, and what for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place<'t> {
    pub(crate) whose: Whose,
    pub(crate) base: PathBuf,
    pub(crate) rest: &'t str,
}

impl<'t> Template<'t> {
    /// Takes a template apart; `None` for one that begins with nothing known.
    pub(crate) fn parse(text: &'t str) -> Option<Self> {
        let systems = [("linux:", System::Linux), ("macos:", System::Macos), ("windows:", System::Windows)];
        let system = systems.into_iter().find_map(|(name, system)| Some((text.strip_prefix(name)?, system)));
        let (text, system) = system.map_or((text, None), |(text, system)| (text, Some(system)));
        let fixed = [
            ("~/", Base::Home),
            ("{config}/", Base::Config),
            ("{xdg}/", Base::Xdg),
            ("{local}/", Base::Local),
            ("{editor}/", Base::Editor),
            ("./", Base::Project),
            ("C:/", Base::Root),
            ("/", Base::Root),
        ];
        if let Some((base, rest)) = fixed.into_iter().find_map(|(name, base)| Some((base, text.strip_prefix(name)?))) {
            return Some(Self { system, base, rest });
        }
        let (inner, rest) = text.strip_prefix('{')?.split_once("}/")?;
        let (variable, folder) = inner.split_once("|~/")?;
        Some(Self { system, base: Base::Moved { variable, folder }, rest })
    }

    /// Whether it is for projects, wherever they are.
    pub(crate) fn is_project(&self) -> bool {
        self.base == Base::Project
    }

    /// The folders to look below on a machine. Projects are not among them.
    pub(crate) fn places(&self, layout: &Layout) -> Vec<Place<'t>> {
        if self.base == Base::Root {
            let is_here = self.system.is_none_or(|system| layout.systems.contains(&system));
            let place = Place { whose: Whose::Machine, base: PathBuf::from("/"), rest: self.rest };
            return is_here.then_some(place).into_iter().collect();
        }
        let mut places = Vec::new();
        for (number, home) in layout.homes.iter().enumerate() {
            if self.system.is_none_or(|system| system == home.system) {
                let bases = self.bases(home).into_iter();
                places.extend(bases.map(|base| Place { whose: Whose::User(number), base, rest: self.rest }));
            }
        }
        places
    }

    fn bases(&self, home: &Home) -> Vec<PathBuf> {
        let variable = |name: &str| home.variables.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let below = |folder: &str| home.path.join(folder);
        let xdg = || variable("XDG_CONFIG_HOME").into_iter().chain([below(".config")]);
        let config = || match home.system {
            System::Linux => xdg().collect::<Vec<_>>(),
            System::Macos => vec![below("Library/Application Support")],
            System::Windows => variable("APPDATA").into_iter().chain([below("AppData/Roaming")]).collect(),
        };
        let mut bases: Vec<PathBuf> = match self.base {
            Base::Home => vec![home.path.clone()],
            Base::Config => config(),
            Base::Xdg => xdg().collect(),
            Base::Local if home.system == System::Windows => {
                variable("LOCALAPPDATA").into_iter().chain([below("AppData/Local")]).collect()
            }
            Base::Local | Base::Project | Base::Root => Vec::new(),
            Base::Moved { variable: name, folder } => variable(name).into_iter().chain([below(folder)]).collect(),
            Base::Editor => {
                let of_config = config().into_iter().flat_map(|config| {
                    EDITORS.iter().map(move |editor| config.join(editor).join("User")).collect::<Vec<_>>()
                });
                let remote = SERVERS.iter().map(|folder| below(folder));
                let boxed = BOXED.iter().filter(|_| home.system == System::Linux).map(|folder| below(folder));
                of_config.chain(remote).chain(boxed).collect()
            }
        };
        bases.sort_unstable();
        bases.dedup();
        bases
    }
}

/// The folders of VS Code and of the editors that are made from it.
const EDITORS: &[&str] = &[
    "Code",
    "Code - Insiders",
    "Code - OSS",
    "VSCodium",
    "VSCodium - Insiders",
    "Cursor",
    "Windsurf",
    "Windsurf - Next",
    "Devin",
    "Trae",
    "Trae CN",
    "TRAE SOLO",
    "TRAE SOLO CN",
    "Kiro",
    "Void",
    "Positron",
    "Antigravity",
    "Antigravity IDE",
    "Qoder",
    "PearAI",
    "CodeBuddy",
];

/// Where such editors keep the same on a machine that they are connected to from afar.
const SERVERS: &[&str] = &[
    ".vscode-server/data/User",
    ".vscode-server-insiders/data/User",
    ".vscode-remote/data/User",
    ".vscodium-server/data/User",
    ".cursor-server/data/User",
    ".windsurf-server/data/User",
    ".trae-server/data/User",
    ".openvscode-server/data/User",
    ".local/share/code-server/User",
];

/// Where they keep it when installed as a Flatpak.
const BOXED: &[&str] = &[
    ".var/app/com.visualstudio.code/config/Code/User",
    ".var/app/com.vscodium.codium/config/VSCodium/User",
    ".var/app/com.visualstudio.code-oss/config/Code - OSS/User",
];
