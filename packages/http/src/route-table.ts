import { H3, H3Event } from 'h3';

/** The limits of the cache of paths, which together keep it below some 200 KB. */
const MAX_PATHS = 1_000;
const MAX_PATH_LENGTH = 64;

/** The route that matches a path, with the parameters in the path. */
interface Match<Place> {
  /** The path of the route, such as `/api/v1/orgs/:id`. */
  readonly route: string;
  readonly place: Place;
  /** The values of the path parameters by name, still percent-encoded. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Creates a route table of h3, and caches its results. A search in h3 needs a web `Request` and takes 2.4 µs of CPU,
 * which is an eighth of the time of a request whose token is cached. A path without a route is not cached, because
 * clients can make up any number of paths.
 *
 * @param places an object for each path, in the notation of routes. If a request's path matches, the result has this
 * object as `place`, for all methods
 */
export function createRouteTable<Place>(places: Readonly<Record<string, Place>>) {
  const app = new H3();
  for (const [route, place] of Object.entries(places))
    app.all(route, ({ context }): Match<Place> => ({ route, place, params: context.params ?? {} }));
  const known = new Map<string, Match<Place>>();

  /** Returns the route that matches a path in canonical spelling; undefined if no route matches. */
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
