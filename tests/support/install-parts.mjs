/** Installs the parts that tests need, with Debian's apt-get, if the user is root. Reports what it does. */
import { spawn } from 'node:child_process';
import { findProgram, missing, packageChoices } from './parts.mjs';

/** A machine without a network fails immediately; one with a slow mirror has time. */
const OPTIONS = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=30'];

/** A machine is changed only by root, and not if ERGODIC_TEST_INSTALL is "no". */
export function canInstall() {
  return (
    process.env.ERGODIC_TEST_INSTALL !== 'no' &&
    process.getuid?.() === 0 &&
    findProgram('apt-get') !== null
  );
}

/**
 * Installs the missing ones of these, if it can.
 *
 * @param {readonly import('./parts.mjs').PartName[]} names
 * @param {(line: string) => void} say
 * @returns {Promise<Map<import('./parts.mjs').PartName, string>>} what is still missing, with the reason
 */
export async function installParts(names, say) {
  const wanted = names.filter((name) => missing(name) !== null);
  if (wanted.length > 0 && canInstall()) {
    say(`Installing what the tests need, with apt-get: ${wanted.join(', ')} …`);
    await installAll(wanted, say);
  }
  const left = new Map();
  for (const name of wanted) {
    const reason = missing(name);
    if (reason !== null) left.set(name, reason);
  }
  return left;
}

async function installAll(names, say) {
  const updated = await aptGet('update', '--error-on=any');
  if (updated.code !== 0) say(`apt-get update failed: ${updated.lastLine}`);
  for (const name of names) {
    const isInstalled = await installPart(name, say);
    // Without a network the others would fail too, each after its timeout; a single bad source does not matter.
    if (updated.code !== 0 && !isInstalled) return;
  }
}

/** False if none of its choices could be installed. */
async function installPart(name, say) {
  // Another part's packages may have included it.
  for (const packages of packageChoices(name)) {
    if (missing(name) === null) return true;
    const { code, lastLine } = await aptGet(
      'install',
      '-y',
      '--no-install-recommends',
      ...packages,
    );
    const what = packages.join(' ');
    say(code === 0 ? `installed ${what}` : `could not install ${what}: ${lastLine}`);
    if (code === 0) return true;
  }
  return missing(name) === null;
}

function aptGet(...args) {
  return new Promise((resolve) => {
    const child = spawn('apt-get', [...OPTIONS, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    let said = '';
    const keep = (text) => {
      said = (said + text).slice(-4000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => resolve({ code: 1, lastLine: error.message }));
    child.once('close', (code) =>
      resolve({ code: code ?? 1, lastLine: said.trim().split('\n').at(-1) ?? '' }),
    );
  });
}
