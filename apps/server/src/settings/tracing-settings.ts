import { err, ok, type Result } from '@gatehouse/domain';
import {
  name,
  oneOf,
  readFiledValue,
  type SettingsOf,
  setting,
  text,
} from '@gatehouse/installation/settings';

/** The HTTP headers of messages to a collector. They often contain credentials. */
export type CollectorHeaders = Readonly<Record<string, string>>;

/** The samplers, with the names that OpenTelemetry gives them. A sampler decides which requests are recorded. */
const SAMPLERS = ['always_on', 'traceidratio', 'parentbased_always_on', 'parentbased_traceidratio'] as const;

const HEADERS_FORM = 'headers such as authorization=Bearer%20..., with commas between them';
const FRACTION_FORM = 'a number from 0 to 1, such as 0.05';
const EXPECTED_HEADERS = `must be ${HEADERS_FORM}`;

/**
 * The settings of traces, under OpenTelemetry's names. Traces are sent only if `OTEL_EXPORTER_OTLP_ENDPOINT` is set.
 */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: text(
    'the URL of a collector such as http://127.0.0.1:4318, without a user, a query or a fragment',
    isCollectorUrl,
  ).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: setting(HEADERS_FORM, parseHeaders).optional(),
  OTEL_EXPORTER_OTLP_HEADERS_FILE: setting('the path of a private file', (path) =>
    readHeadersFile(path),
  ).optional(),
  OTEL_SERVICE_NAME: name.default('gatehouse'),
  OTEL_TRACES_SAMPLER: oneOf(...SAMPLERS).default('always_on'),
  /** The share of the requests that a `traceidratio` sampler records, from 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: setting(FRACTION_FORM, (written) =>
    /^\d+(\.\d+)?$/.test(written) && Number(written) <= 1
      ? ok(Number(written))
      : err(`must be ${FRACTION_FORM}`),
  ).default(1),
};

export type TracingSettings = SettingsOf<typeof tracingSettings>;

/** Reads the headers for the collector from a file. */
export const readHeadersFile = (path: string) => readFiledValue(path, HEADERS_FORM, parseHeaders);

function isCollectorUrl(written: string): boolean {
  const url = URL.parse(written);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

/** The syntax of the name of a header (RFC 9110 section 5.6.2). */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** The syntax of the value of a header (RFC 9110 section 5.5), restricted to ASCII. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Parses headers in the form of OpenTelemetry: `name=value` pairs with commas between them, whose values may be
 * percent-encoded. The error never repeats the text, because it may contain a secret.
 */
function parseHeaders(written: string): Result<CollectorHeaders, string> {
  const found: Record<string, string> = {};
  for (const item of written.split(',')) {
    const [, key = '', encoded = ''] = /^([^=]*)=(.*)$/s.exec(item) ?? [];
    const value = decoded(encoded.trim());
    if (!HEADER_NAME.test(key.trim()) || value === undefined || !HEADER_VALUE.test(value))
      return err(EXPECTED_HEADERS);
    found[key.trim().toLowerCase()] = value;
  }
  return ok(found);
}

function decoded(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
