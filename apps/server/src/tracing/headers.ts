import {
  type CollectorHeaders,
  readHeadersFile,
  type TracingSettings,
} from '../settings/tracing-settings.ts';

type Settings = Pick<TracingSettings, 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_EXPORTER_OTLP_HEADERS_FILE'>;

/**
 * Returns a function that gives the headers of each message. It reads a file each time, because the file may have been
 * replaced.
 *
 * @param onIgnored called with a line for the log when the file cannot be used, once for each reason
 */
export function createHeaders(settings: Settings, onIgnored: (line: string) => void) {
  const { OTEL_EXPORTER_OTLP_HEADERS: given = {}, OTEL_EXPORTER_OTLP_HEADERS_FILE: file } = settings;
  let [current, ignored]: [CollectorHeaders, string] = [file?.headers ?? given, ''];
  return async (): Promise<Record<string, string>> => {
    const read = file?.isRegular ? readHeadersFile(file.path) : undefined;
    if (read?.ok) [current, ignored] = [read.value.headers, ''];
    else if (read && read.error !== ignored) {
      ignored = read.error;
      onIgnored(`OTEL_EXPORTER_OTLP_HEADERS_FILE ${ignored}: the headers that it held before are used`);
    }
    // The exporter adds its own.
    return { ...current };
  };
}
