import type { RequestRecorder } from '@gatehouse/http';
import { Histogram, type MetricObjectWithValues, type MetricValueWithName } from 'prom-client';

const NAME = 'gatehouse_http_request_duration_seconds';

type Label = 'route' | 'method' | 'status';

/** The upper bounds of the histogram's buckets, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The `route` label of requests for paths that are not served. These paths are not labels, because clients can request
 * any number of paths.
 */
const NO_ROUTE = 'none';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * The durations of requests, by route, method and status. prom-client's `observe` builds a string from the labels for
 * each request, which is slow. `record` instead finds the counts of a request by three look-ups in maps.
 */
export class RequestDurations extends Histogram<Label> implements RequestRecorder {
  readonly #routes = new Map<string, Map<string, Map<number, Durations>>>();

  constructor() {
    super({
      name: NAME,
      help: 'Time from the head of a request to the answer, by route, method and status.',
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
  /**
   * For each bound, the number of requests that took at most that time and longer than the previous bound. The last
   * item counts requests that took longer than all bounds.
   */
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

/**
 * Returns the values in the form of Prometheus, where the count of each bucket includes the counts of all smaller
 * buckets.
 */
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
