import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));
const UNPACK = fileURLToPath(new URL('unpack.ts', import.meta.url));

/** The package's own list of folders begins with /tmp/fonts, where any user of the machine can put one. */
const FONTS = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
</fontconfig>
`;

/** A program, and the whole environment that it needs. */
export interface UnpackedChromium {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

/**
 * The Chromium of the package, with its own libraries and font, so that pages look the same everywhere. It is unpacked
 * once for a checkout, into `node_modules`: a user who can write there can also change the tests. By itself, the
 * package would run the program `/tmp/chromium`, and any user of the machine can put one there.
 */
export async function unpackedChromium(modules = MODULES): Promise<UnpackedChromium> {
  const folder = join(modules, '.gatehouse-browser', versionOfPackage());
  if (!(await isOurs(folder))) await unpackInto(folder);
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: folder,
    },
  };
}

/**
 * Several processes may do this at once: the folder of the first one stays. A folder gets its name when it is complete.
 */
async function unpackInto(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  // The mode is 0700: other users cannot enter, so they cannot change files that the package unpacks under their ids.
  const draft = await mkdtemp(`${folder}-`);
  try {
    await promisify(execFile)(process.execPath, [UNPACK], {
      // The package unpacks its libraries only if the environment looks like AWS Lambda.
      env: { PATH: process.env.PATH, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
    });
    await writeFile(join(draft, 'fonts.conf'), FONTS(folder));
    await chmod(join(draft, 'chromium'), 0o700);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await isOurs(folder))) throw error;
  }
}

/** Throws if another user could have put something in. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined) return false;
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0) {
    throw new Error(`${folder} belongs to another user, or others can enter it: remove it`);
  }
  return true;
}

function versionOfPackage(): string {
  const { resolve } = createRequire(import.meta.url);
  // `…/.pnpm/@sparticuz+chromium@VERSION_PEERS/node_modules/@sparticuz/chromium/build/index.js`
  const manifest = join(dirname(dirname(resolve('@sparticuz/chromium'))), 'package.json');
  return (createRequire(import.meta.url)(manifest) as { version: string }).version;
}
