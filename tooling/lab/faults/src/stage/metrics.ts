/** Returns a sample of a server's Prometheus metrics, by its name and labels. */
export async function metric(opsUrl: string, series: string): Promise<number> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  if (line === undefined) throw new Error(`there is no ${series}`);
  return Number(line.slice(series.length + 1));
}

export const residentBytes = (opsUrl: string) => metric(opsUrl, 'process_resident_memory_bytes');

/** Returns how many requests a server has answered so far. */
export async function requestsAnswered(opsUrl: string): Promise<number> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  const counts = text.matchAll(/^gatehouse_http_request_duration_seconds_count\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
