import { H3, H3Event } from 'h3';

/** The limits of the remembered paths, some 200 KB in all. */
const MAX_PATHS = 1_000;
const MAX_PATH_LENGTH = 64;

/** The place that a path leads to. */
interface Match<Place> {
  /** The path of the route, such as `/api/v1/orgs/:id`. */
  readonly route: string;
  readonly place: Place;
  /** The parts of the path that vary, still percent-encoded. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Creates a route table of h3, and caches its results. A search needs a web `Request` and takes 2.4 µs of CPU, an eighth of a
 * request whose token is known. A path without a route is not cached, because clients can make up any number of paths.
 *
 * @param places by the paths of their routes, each for all methods
 */
export function createRouteTable<Place>(places: Readonly<Record<string, Place>>) {
  const app = new H3();
  for (const [route, place] of Object.entries(places))
    app.all(route, ({ context }): Match<Place> => ({ route, place, params: context.params ?? {} }));
  const known = new Map<string, Match<Place>>();

  /** Finds what a path in its canonical spelling leads to; undefined if it leads nowhere. */
  return (path: string): Match<Place> | undefined => {
    const remembered = known.get(path);
    if (remembered) return remembered;
    const found = app.handler(new H3Event(new Request(`http://localhost${path}`), undefined, app));
    // Without a route, h3 returns a symbol.
    if (typeof found !== 'object') return undefined;
    const match = found as Match<Place>;
    if (path.length <= MAX_PATH_LENGTH) {
      if (known.size >= MAX_PATHS) known.clear();
      known.set(path, match);
    }
    return match;
  };
}
