/**
 * Programs that tests need and npm does not provide: how to find each, and which Debian packages contain it. Plain
 * JavaScript, because the runner of `npm test` reads it too.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Debian's python, which has the packages, regardless of PATH. */
export const PYTHON = '/usr/bin/python3';

/** For packages that Debian does not have: a virtual environment's python, named by this variable. */
export const SAMPLERS_PYTHON = process.env.ERGODIC_TEST_PYTHON || PYTHON;

/** The first draws the same pages with two thirds of the work, as it has no window around them. */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

const NOT_INSTALLED = 'not installed';

/** The namespaces that our sandbox uses. */
const SANDBOX = ['--unshare-all', '--unshare-user', '--disable-userns', '--cap-drop', 'ALL']
  .concat(['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'])
  .concat(['--', PYTHON, '-c', '']);

/** A separate network joined by a pair of devices. Only root may create one; some containers forbid it. */
const NETWORK =
  'n=ergodic-$$; ip netns add $n && { ip link add er$$ type veth peer name et$$ netns $n && ip link del er$$; s=$?; ip netns del $n; exit $s; }';

/** Mounts a small in-memory file system, as only root may, and removes it again. */
const SMALL_DISK =
  'd=$(mktemp -d) && { mount -t tmpfs -o size=64k tmpfs "$d" && umount "$d"; s=$?; rmdir "$d"; exit $s; }';

/**
 * @typedef {'python' | 'pip' | 'r' | 'jags' | 'arviz' | 'emcee' | 'pymc' | 'cmdstanpy' | 'bubblewrap' | 'readers' | 'pyinvoke' | 'sqlite3' | 'chromium' | 'postgresql' | 'pgbouncer' | 'slurm' | 'mount' | 'network'} PartName
 *
 * @typedef {object} Part
 * @property {string} purpose
 * @property {string[][]} choices lists of packages: the first that can be installed is used
 * @property {() => string | null} fault why it cannot be used, or null
 */

/** @type {Record<PartName, Part>} */
const parts = {
  python: {
    purpose: 'runs the scripts that packages bring',
    choices: [['python3']],
    fault: () => faultOf(PYTHON, ['-c', '']),
  },
  pip: {
    purpose: 'installs the Python client from its folder',
    choices: [['python3', 'python3-pip']],
    fault: () => faultOf(PYTHON, ['-c', 'import pip']),
  },
  r: {
    purpose: 'runs the R client, which sends by curl',
    choices: [['r-base-core', 'curl']],
    fault: () => faultOf('Rscript', ['-e', 'stopifnot(nzchar(Sys.which("curl")))']),
  },
  jags: {
    purpose: 'samples JAGS models, by rjags in R',
    choices: [['r-cran-rjags', 'jags', 'r-cran-jsonlite']],
    fault: () => faultOf('Rscript', ['-e', 'loadNamespace("rjags"); loadNamespace("jsonlite")']),
  },
  arviz: fromPip('arviz', 'opens our NetCDF files as its users do', 'arviz, h5netcdf'),
  emcee: {
    purpose: 'is a sampler whose draws the Python client shows',
    choices: [['python3', 'python3-emcee']],
    fault: () => faultOf(PYTHON, ['-c', 'import emcee']),
  },
  pymc: fromPip('pymc', 'is a sampler that the Python client shows', 'pymc'),
  cmdstanpy: fromPip('cmdstanpy', 'reads our CSV files as its own', 'cmdstanpy'),
  bubblewrap: {
    purpose: 'confines programs of other languages',
    choices: [['bubblewrap', 'python3']],
    fault: () => faultOf('bwrap', SANDBOX),
  },
  readers: {
    purpose: 'opens and writes our NetCDF files: h5py, netCDF4 and xarray in Python',
    choices: [['python3', 'python3-h5py', 'python3-netcdf4', 'python3-xarray']],
    fault: () => faultOf(PYTHON, ['-c', 'import h5py, netCDF4, xarray']),
  },
  pyinvoke: {
    purpose: 'runs the tasks of packages: invoke in Python',
    choices: [['python3', 'python3-invoke']],
    fault: () => faultOf(PYTHON, ['-c', 'import invoke']),
  },
  sqlite3: {
    purpose: 'opens our SQLite files',
    choices: [['sqlite3']],
    fault: () => faultOf('sqlite3', ['-version']),
  },
  chromium: {
    purpose: 'shows the dashboard in the browser tests (or name a browser in CHROMIUM)',
    choices: [['chromium-headless-shell'], ['chromium']],
    fault: () => (findChromium() === null ? NOT_INSTALLED : null),
  },
  postgresql: {
    purpose: 'is the PostgreSQL server that is not ours',
    choices: [['postgresql']],
    fault: () => (findPostgres() === null ? NOT_INSTALLED : null),
  },
  pgbouncer: {
    purpose: 'stands between services and PostgreSQL',
    choices: [['pgbouncer']],
    fault: () => (findProgram('pgbouncer') === null ? NOT_INSTALLED : null),
  },
  slurm: {
    purpose: 'is the batch system that runs jobs of workers',
    choices: [['slurm-wlm', 'munge']],
    fault: () =>
      ['slurmctld', 'slurmd', 'munged', 'sbatch'].every((name) => findProgram(name, '/usr/sbin'))
        ? null
        : NOT_INSTALLED,
  },
  mount: {
    purpose: 'gives a test a small disk of its own (as root)',
    choices: [['mount']],
    fault: () => faultOf('sh', ['-c', SMALL_DISK]),
  },
  network: {
    purpose: 'gives a process a network of its own that can be cut (as root)',
    choices: [['iproute2']],
    fault: () => (findProgram('ip') === null ? NOT_INSTALLED : faultOf('sh', ['-c', NETWORK])),
  },
};

/**
 * A part that only pip provides.
 *
 * @param {string} name
 * @param {string} purpose
 * @param {string} modules
 * @returns {Part}
 */
function fromPip(name, purpose, modules) {
  return {
    purpose: `${purpose} (pip install ${name}, and name that python in ERGODIC_TEST_PYTHON)`,
    choices: [],
    fault: () => faultOf(SAMPLERS_PYTHON, ['-W', 'ignore', '-c', `import ${modules}`]),
  };
}

/**
 * Null if the part can be used; otherwise what is missing, what it is for, and how to get it. Rechecks on each call.
 *
 * @param {PartName} name
 * @returns {string | null}
 */
export function missing(name) {
  const { purpose, choices, fault } = parts[name];
  const found = fault();
  if (found === null) return null;
  // Some containers forbid the namespaces that a sandbox needs: installing would not help.
  const advice =
    found === NOT_INSTALLED && choices.length > 0
      ? ` (Debian: apt-get install ${choices[0].join(' ')})`
      : '';
  return `${name}, which ${purpose}: ${found}${advice}`;
}

/** @param {PartName} name */
export function packageChoices(name) {
  return parts[name].choices;
}

/**
 * The browser: the variable CHROMIUM, or one of the usual names on PATH.
 *
 * @returns {string | null}
 */
export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of BROWSERS) {
    const file = findProgram(name);
    if (file !== null) return file;
  }
  return null;
}

/** The folder of Debian's `initdb` and `postgres`, the newest version. */
export function findPostgres(root = '/usr/lib/postgresql') {
  const versions = fs.existsSync(root) ? fs.readdirSync(root) : [];
  const folders = versions
    .filter((version) => fs.existsSync(path.join(root, version, 'bin', 'initdb')))
    .sort((a, b) => Number(b) - Number(a));
  return folders.length === 0 ? null : path.join(root, folders[0], 'bin');
}

/**
 * @param {string} name
 * @param {...string} others folders in addition to those of PATH
 * @returns {string | null}
 */
export function findProgram(name, ...others) {
  for (const folder of [...(process.env.PATH ?? '').split(path.delimiter), ...others]) {
    try {
      const file = path.join(folder, name);
      fs.accessSync(file, fs.constants.X_OK);
      return file;
    } catch {
      // not in this folder
    }
  }
  return null;
}

/** Null if the program succeeds; otherwise a note that it is not installed, or its last line. */
function faultOf(program, args) {
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error?.code === 'ENOENT') return NOT_INSTALLED;
  if (error) return error.message;
  if (status === 0) return null;
  const last = stderr.trim().split('\n').at(-1) || `it ended with code ${status}`;
  return /ModuleNotFoundError/.test(last) ? NOT_INSTALLED : `it does not work here: ${last}`;
}
