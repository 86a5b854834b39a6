import { dirname, resolve } from 'node:path';
import { err, ok, type Result } from '@gatehouse/domain';
import type { Provider } from '@gatehouse/domain/identity-providers';
import { type FiledValue, readFiledValue } from '../secret-file.ts';
import { isObject, readFields } from './fields.ts';
import { contradictions, PROVIDER_FIELDS } from './provider-fields.ts';

/** An identity provider of the settings. */
export interface ConfiguredProvider extends Provider {
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: FiledValue<string> | undefined;
  readonly scopes: readonly string[];
}

/** The largest number of providers: more do not fit on the sign-in page. */
const MAX_PROVIDERS = 20;

/** A secret in the settings would be copied with them, into tickets and repositories. */
const INSTEAD = {
  clientSecret:
    'clientSecret must not be in this file: put the secret in a file of its own, which clientSecretFile names',
};

/**
 * Reads the file with the identity providers, and the files with their secrets. All are private files, because a user
 * who can change them decides who signs in. The error names each provider and field that is wrong, and never repeats a
 * value.
 */
export function readProvidersFile(path: string): Result<readonly ConfiguredProvider[], string> {
  const read = readFiledValue(path, 'JSON with a list "providers"', parseJson);
  if (!read.ok) return read;
  // The file is read again by workers, and a pipe cannot be.
  if (!read.value.isRegular) return err(`names ${path}, which must be a file and not a pipe`);
  const { value } = read.value;
  if (!isObject(value) || !Array.isArray(value.providers) || Object.keys(value).length > 1)
    return err(`names ${path}, whose content must be {"providers": [...]}`);
  if (value.providers.length > MAX_PROVIDERS)
    return err(`names ${path}, which has more than ${MAX_PROVIDERS} providers`);
  const problems: string[] = [];
  const providers: ConfiguredProvider[] = [];
  for (const [index, each] of value.providers.entries()) {
    const provider = readProvider(each, dirname(resolve(path)));
    if (provider.ok) providers.push(provider.value);
    else problems.push(...provider.error.map((problem) => `${nameOf(each, index)}: ${problem}`));
  }
  for (const field of ['id', 'issuer'] as const)
    for (const [index, provider] of providers.entries())
      if (providers.findIndex((other) => other[field] === provider[field]) < index)
        problems.push(`provider "${provider.id}": another provider has the same ${field}`);
  return problems.length === 0 ? ok(providers) : err(`names ${path}: ${problems.join('; ')}`);
}

function readProvider(value: unknown, folder: string): Result<ConfiguredProvider, readonly string[]> {
  const read = readFields(PROVIDER_FIELDS, value, INSTEAD);
  if (!read.ok) return read;
  const { clientSecretFile, ...provider } = read.value;
  const problems = contradictions(read.value);
  const secret =
    clientSecretFile === undefined ? ok(undefined) : readClientSecret(resolve(folder, clientSecretFile));
  if (secret.ok && problems.length === 0) return ok({ ...provider, clientSecret: secret.value });
  return err([...problems, ...(secret.ok ? [] : [`clientSecretFile ${secret.error}`])]);
}

/** Reads the file with a client secret. The error continues a sentence that begins with the name of the setting. */
export function readClientSecret(path: string): Result<FiledValue<string>, string> {
  const read = readFiledValue(path, 'the client secret', (text) =>
    /^[\x20-\x7e]{1,1000}$/.test(text)
      ? ok(text)
      : err('must be the client secret in one line of ASCII characters'),
  );
  if (read.ok && !read.value.isRegular) return err(`names ${path}, which must be a file and not a pipe`);
  return read;
}

/** An error of the parser repeats a part of the text, so only the place is taken from it. */
function parseJson(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    const [place] = /line \d+ column \d+/.exec(`${error}`) ?? [];
    return err(place === undefined ? 'is not JSON' : `is not JSON at ${place}`);
  }
}

function nameOf(value: unknown, index: number): string {
  return isObject(value) && typeof value.id === 'string' && value.id.length <= 32
    ? `provider ${JSON.stringify(value.id)}`
    : `provider ${index + 1}`;
}
