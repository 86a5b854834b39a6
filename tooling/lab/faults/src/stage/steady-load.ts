import autocannon from 'autocannon';

/** Requests at a constant rate, on kept-alive connections. */
export interface SteadyLoad {
  /** Whether a request has failed so far. A failure is any response other than 200. */
  hasFailed(): boolean;
  stop(): Promise<{ readonly sent: number; readonly failed: number }>;
}

const CONNECTIONS = 20;

/** Starts to send requests at this rate a second. */
export function startSteadyLoad(url: string, token: string, rate: number): SteadyLoad {
  const ended = Promise.withResolvers<autocannon.Result>();
  const running = autocannon(
    { url, ...optionsFor(token), overallRate: rate, duration: 3600 },
    (error, result) => (error ? ended.reject(error) : ended.resolve(result)),
  );
  let hasFailed = false;
  const note = (status?: number) => {
    hasFailed ||= status !== 200;
  };
  running.on('reqError', () => note()).on('response', (_client, status) => note(status));
  return {
    hasFailed: () => hasFailed,
    async stop() {
      running.stop();
      const { non2xx, errors, timeouts, requests } = await ended.promise;
      return { sent: requests.total, failed: non2xx + errors + timeouts };
    },
  };
}

/** Measures how many requests a second are answered if each connection sends the next one at once. */
export async function measureRate(url: string, token: string, seconds: number): Promise<number> {
  const { requests } = await autocannon({ url, ...optionsFor(token), duration: seconds });
  return requests.total / seconds;
}

const optionsFor = (token: string) => ({
  connections: CONNECTIONS,
  headers: { authorization: `Bearer ${token}` },
});
