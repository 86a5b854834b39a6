import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseSettings } from './settings.ts';

const problems = (environment: Record<string, string>) => {
  const parsed = parseSettings(environment);
  return parsed.ok ? [] : parsed.error;
};

test('without a collector there are no traces, and with one every request is recorded', () => {
  expect(parseSettings({})).toMatchObject({
    value: { OTEL_SERVICE_NAME: 'gatehouse', OTEL_TRACES_SAMPLER: 'always_on', OTEL_TRACES_SAMPLER_ARG: 1 },
  });
  expect(parseSettings({})).not.toHaveProperty('value.OTEL_EXPORTER_OTLP_ENDPOINT');
});

test.each(['http://127.0.0.1:4318', 'https://collector.example/otlp/'])('%s is a collector', (url) => {
  expect(problems({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).toEqual([]);
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', '127.0.0.1:4318', /^must be the URL of a collector/],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317', /^must be the URL of a collector/],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://ada:hunter2@collector:4318', /^must be the URL of a collector/],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318?key=hunter2', /^must be the URL of a collector/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2', /^must be headers such as/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a b=hunter2', /^must be headers such as/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=hunter2%0d%0ab', /^must be headers such as/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=hunter2%', /^must be headers such as/],
  ['OTEL_TRACES_SAMPLER', 'hunter2', /^must be one of always_on, traceidratio/],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5', /^must be a number from 0 to 1/],
  ['OTEL_TRACES_SAMPLER_ARG', '-0', /^must be a number from 0 to 1/],
  ['OTEL_SERVICE_NAME', 'a\nb', /^must be 1 to 200 bytes/],
])('%s is not %s, and the problem does not repeat it', (name, value, problem) => {
  const [line = '', ...others] = problems({ [name]: value });
  expect(others).toEqual([]);
  expect(line.slice(name.length + 1)).toMatch(problem);
  expect(line).not.toContain('hunter2');
});

test('headers are written as OpenTelemetry writes them', () => {
  const written = 'Authorization=Bearer%20hunter2, x-tenant = a=b';
  expect(parseSettings({ OTEL_EXPORTER_OTLP_HEADERS: written })).toMatchObject({
    value: { OTEL_EXPORTER_OTLP_HEADERS: { authorization: 'Bearer hunter2', 'x-tenant': 'a=b' } },
  });
});

test('headers may stand in a private file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-headers-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'headers');
  await writeFile(path, 'authorization=hunter2\n', { mode: 0o600 });
  const file = { OTEL_EXPORTER_OTLP_HEADERS_FILE: path };
  expect(parseSettings(file)).toMatchObject({
    value: {
      OTEL_EXPORTER_OTLP_HEADERS_FILE: { path, value: { authorization: 'hunter2' }, isRegular: true },
    },
  });
  expect(problems({ ...file, OTEL_EXPORTER_OTLP_HEADERS: 'a=b' })).toEqual([
    'OTEL_EXPORTER_OTLP_HEADERS and OTEL_EXPORTER_OTLP_HEADERS_FILE are both set: set one of them',
  ]);
  await writeFile(path, 'hunter2');
  expect(problems(file)).toEqual([
    `OTEL_EXPORTER_OTLP_HEADERS_FILE names ${path}, whose content must be headers such as authorization=Bearer%20..., with commas between them`,
  ]);
});
