import { chmodSync, lutimesSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** No user of the host should have this number. */
const USER = 10_001;

/**
 * `gatehouse` as a program: without a shell and `env`, the first line can name one argument only.
 */
const COMMAND = `#!/usr/local/bin/node --max-semi-space-size=4
require('/gatehouse/programs/gatehouse.js');
`;

const FILES = {
  'usr/local/bin/gatehouse': COMMAND,
  'etc/passwd': `root:x:0:0::/:\ngatehouse:x:${USER}:${USER}::/gatehouse:\n`,
  'etc/group': `root:x:0:\ngatehouse:x:${USER}:\n`,
  'etc/nsswitch.conf': 'hosts: files dns\n',
};

/**
 * Writes the files that Node and the C library look for, and the command line.
 * @param {string} image
 */
export function writeRootFiles(image) {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(image, path)), { recursive: true });
    writeFileSync(join(image, path), text);
  }
  chmodSync(join(image, 'usr/local/bin/gatehouse'), 0o755);
  mkdirSync(join(image, 'tmp'));
  chmodSync(join(image, 'tmp'), 0o1777);
}

/**
 * Gives every file the same time, so the same sources make the same image. By convention it is the time of the last
 * commit in seconds (SOURCE_DATE_EPOCH, https://reproducible-builds.org/specs/source-date-epoch/); otherwise the
 * beginning of 1970.
 * @param {string} image
 */
export function setTimes(image) {
  const seconds = Number(process.env.SOURCE_DATE_EPOCH || 0);
  // A folder comes after its contents.
  const paths = readdirSync(image, { recursive: true, encoding: 'utf8' }).sort().reverse();
  for (const path of [...paths, '.']) lutimesSync(join(image, path), seconds, seconds);
}
