import { expect, it } from 'vitest';
import { parseWrk } from './wrk.ts';

const OUTPUT = `Running 1s test @ http://127.0.0.1:8080/
  1 threads and 32 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   338.71us  219.04us   6.90ms   96.68%
    Req/Sec    97.06k     3.17k   99.95k    90.00%
  Latency Distribution
     50%  304.00us
     75%  340.00us
     90%  412.00us
     99%    1.12ms
  96584 requests in 1.00s, 17.50MB read
Requests/sec:  96570.12
Transfer/sec:     17.50MB
`;

it('reads what wrk printed', () => {
  expect(parseWrk(OUTPUT)).toEqual({
    answered: 96_584,
    seconds: expect.closeTo(1, 3),
    p50Ms: expect.closeTo(0.304),
    p99Ms: 1.12,
    maxMs: 6.9,
  });
});

it.each(['  Non-2xx or 3xx responses: 96584', '  Socket errors: connect 0, read 4, write 0, timeout 0'])(
  'fails if it printed %s',
  (line) => {
    expect(() => parseWrk(OUTPUT.replace('Requests/sec', `${line}\nRequests/sec`))).toThrow(line.trim());
  },
);
