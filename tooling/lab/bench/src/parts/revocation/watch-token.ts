import { type Agent, get } from 'node:http';
import type { LoadRequest } from '../../load/plan.ts';
import { steadyTime } from './steady-time.ts';

/** Sends requests with one token until it is refused. */
export interface Watch {
  /** Resolves when every requester has received a 200. */
  readonly accepted: Promise<void>;
  /** Resolves with the time of the last 200, by `steadyTime`, once the token is refused for good. */
  readonly lastAcceptance: Promise<number>;
}

/** The number of requesters at each node: while one waits for its response, others send. */
const ASKERS = 3;
/** A single refusal between acceptances would be a finding, not the end. */
const REFUSALS = 5;

export function watchToken(urls: readonly string[], request: LoadRequest, agent: Agent): Watch {
  const askers = urls.flatMap((url) => Array.from({ length: ASKERS }, () => watchOnce(url, request, agent)));
  return {
    accepted: Promise.all(askers.map(({ accepted }) => accepted)).then(() => undefined),
    lastAcceptance: Promise.all(askers.map(({ last }) => last)).then((moments) => Math.max(...moments)),
  };
}

function watchOnce(url: string, { path, headers }: LoadRequest, agent: Agent) {
  const { promise: accepted, resolve: accept, reject } = Promise.withResolvers<void>();
  async function ask(): Promise<number> {
    let [last, refusals] = [Number.NEGATIVE_INFINITY, 0];
    while (refusals < REFUSALS) {
      const status = await statusOf(`${url}${path}`, headers, agent);
      if (status === 200) {
        last = steadyTime();
        refusals = 0;
        accept();
      } else if (status === 401) {
        refusals += 1;
        reject(new Error(`${url} refuses a token that is good`));
      } else {
        throw new Error(`${url} answered ${status}`);
      }
    }
    return last;
  }
  const last = ask();
  last.catch(reject);
  return { accepted, last };
}

function statusOf(url: string, headers: LoadRequest['headers'], agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });
}
