import { parseArgs } from 'node:util';

/** The arguments of `npm run docs:site`. */
export interface SiteOptions {
  /** The path of the site on its host, with slashes around it. */
  readonly base: string;
  /** The folder that gets the site. */
  readonly folder: string;
  /** The port to serve the site at after the build, 0 for any free one; undefined if the site is only built. */
  readonly port: number | undefined;
}

const USAGE = 'npm run docs:site [-- [--base PATH] [--folder FOLDER] [--serve [--port PORT]]]';
const DEFAULT_PORT = '8090';

/** Reads the arguments of the command. Throws an error with the usage if one of them is wrong. */
export function readOptions(args: readonly string[], defaultFolder: string): SiteOptions {
  const { base, folder, serve, port } = parse(args);
  if (!/^\/(?:[\w.~-]+\/)*$/.test(base)) {
    throw new Error(`--base ${base} is no path with slashes around it, such as /handbook/.\n${USAGE}`);
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`--port ${port} is no number from 0 to 65535.\n${USAGE}`);
  }
  return { base, folder, port: serve ? Number(port) : undefined };

  function parse(given: readonly string[]) {
    try {
      return parseArgs({
        args: [...given],
        options: {
          base: { type: 'string', default: '/' },
          folder: { type: 'string', default: defaultFolder },
          serve: { type: 'boolean', default: false },
          port: { type: 'string', default: DEFAULT_PORT },
        },
      }).values;
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${USAGE}`);
    }
  }
}
