import type { RequestRecorder } from '@gatehouse/http';
import { Histogram, type MetricObjectWithValues, type MetricValueWithName } from 'prom-client';

const NAME = 'gatehouse_http_request_duration_seconds';

type Label = 'route' | 'method' | 'status';

/** Upper bounds, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The route of all paths that are not served. Clients can make up any number of paths. */
const NO_ROUTE = 'none';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * The durations of requests, by route, method and status. `observe` of prom-client makes a text of the labels for each
 * request, which takes time. `record` finds its numbers by three look-ups in maps instead.
 */
export class RequestDurations extends Histogram<Label> implements RequestRecorder {
  readonly #routes = new Map<string, Map<string, Map<number, Durations>>>();

  constructor() {
    super({
      name: NAME,
      help: 'From the head of a request to its answer, by route, method and status.',
      labelNames: ['route', 'method', 'status'],
      buckets: BOUNDS,
      registers: [],
    });
  }

  record(route: string | undefined, method: string, status: number, milliseconds: number): void {
    const methods = getOrMake(this.#routes, route ?? NO_ROUTE, newMap<string, Map<number, Durations>>);
    const statuses = getOrMake(methods, METHODS.has(method) ? method : 'other', newMap<number, Durations>);
    add(getOrMake(statuses, status, noDurations), milliseconds / 1000);
  }

  override async get(): Promise<MetricObjectWithValues<MetricValueWithName<Label>>> {
    const values = [...this.#routes].flatMap(([route, methods]) =>
      [...methods].flatMap(([method, statuses]) =>
        [...statuses].flatMap(([status, durations]) =>
          seriesOf({ route, method, status: String(status) }, durations),
        ),
      ),
    );
    return { ...(await super.get()), values };
  }
}

interface Durations {
  /** For each bound, the number of requests that took at most so long and longer than the bound before. One more at the end. */
  readonly counts: number[];
  sum: number;
}

const newMap = <Key, Value>() => new Map<Key, Value>();
const noDurations = (): Durations => ({ counts: new Array(BOUNDS.length + 1).fill(0), sum: 0 });

function add(durations: Durations, seconds: number): void {
  let bucket = 0;
  while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket += 1;
  durations.counts[bucket] = (durations.counts[bucket] as number) + 1;
  durations.sum += seconds;
}

/** Returns the series in Prometheus' form: each bucket includes the buckets before it. */
function seriesOf(labels: Record<Label, string>, { counts, sum }: Durations): MetricValueWithName<Label>[] {
  let count = 0;
  const buckets = counts.map((within, index) => {
    count += within;
    return { metricName: `${NAME}_bucket`, labels: { ...labels, le: BOUNDS[index] ?? '+Inf' }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: count },
  ];
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
