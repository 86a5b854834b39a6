import fc from 'fast-check';
import { ODD_CONTENT_TYPES, ODD_NAMES, oddBytes, oddJson } from './odd-values.ts';
import type { Operation, Schema, ServedDocument } from './openapi.ts';
import { memberValues } from './schema-values.ts';

export interface Body {
  /** Undefined without the header. */
  readonly contentType: string | undefined;
  readonly bytes: Buffer;
}

/** Members in order; a name may occur twice, which an object cannot have. */
type Members = readonly (readonly [name: string, value: unknown])[];

/** Generates bodies for an operation: valid, nearly valid and invalid ones. */
export function bodiesFor(
  document: ServedDocument,
  { bodies }: Operation,
  examples: readonly Readonly<Record<string, unknown>>[],
): fc.Arbitrary<Body> {
  const [[, schema = {}] = []] = Object.entries(bodies);
  const types = fc.constantFrom(...Object.keys(bodies));
  const known = fc.constantFrom(...examples).map((example) => Object.entries(example));
  const right = membersOf(document, schema);
  const wrong = right.chain(mutations);
  const written = (members: fc.Arbitrary<Members>) =>
    fc.tuple(types, members).map(([type, all]) => write(type, all));
  const mislabelled = fc
    .tuple(fc.oneof(types, fc.constantFrom(undefined, ...ODD_CONTENT_TYPES)), types, right)
    .map(([label, type, members]) => ({ ...write(type, members), contentType: label }));
  const noObject = oddJson.map((value) => ({
    contentType: 'application/json',
    bytes: Buffer.from(JSON.stringify(value)),
  }));
  const noText = fc
    .tuple(types, oddBytes)
    .map(([type, bytes]) => ({ contentType: write(type, []).contentType, bytes }));
  return fc.oneof(
    { weight: 5, arbitrary: written(known) },
    { weight: 3, arbitrary: written(right) },
    { weight: 50, arbitrary: written(wrong) },
    { weight: 12, arbitrary: mislabelled },
    { weight: 10, arbitrary: noObject },
    { weight: 20, arbitrary: noText },
  );
}

function membersOf(document: ServedDocument, schema: Schema): fc.Arbitrary<Members> {
  return fc.record(memberValues(document, schema)).map((object) => Object.entries(object));
}

/** The same members with one to three errors. */
function mutations(members: Members): fc.Arbitrary<Members> {
  const place = fc.nat(members.length);
  const without = place.map((at) => (all: Members) => all.filter((_, index) => index !== at % all.length));
  const another = fc.tuple(place, oddJson).map(
    ([at, value]) =>
      (all: Members) =>
        all.map(([name, old], index) => [name, index === at % all.length ? value : old] as const),
  );
  const more = fc
    .tuple(fc.constantFrom(...ODD_NAMES), oddJson)
    .map((member) => (all: Members) => [...all, member]);
  const twice = fc.tuple(place, oddJson).map(([at, value]) => (all: Members) => [
    ...all,
    [all[at % all.length]?.[0] ?? '', value] as const,
  ]);
  return fc
    .array(fc.oneof(another, without, more, twice), { minLength: 1, maxLength: 3 })
    .map((steps) => steps.reduce((all, step) => step(all), members));
}

/** Writes a body of this type. */
export function write(type: string, members: Members): Body {
  switch (type) {
    case 'application/x-www-form-urlencoded': {
      const pairs = members.map((member) => member.map((part) => formEncoded(asText(part))).join('='));
      return { contentType: type, bytes: Buffer.from(pairs.join('&')) };
    }
    case 'multipart/form-data': {
      const parts = members.map(([name, value]) => part(name, asText(value)));
      return {
        contentType: `${type}; boundary=${BOUNDARY}`,
        bytes: Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`),
      };
    }
    default: {
      const pairs = members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
      return { contentType: type, bytes: Buffer.from(`{${pairs.join(',')}}`) };
    }
  }
}

const BOUNDARY = 'gatehouse-fuzz';

function part(name: string, text: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Text without a UTF-8 encoding is sent as the bytes that it would have. */
const formEncoded = (text: string) => (text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80');
