import { type Document, type Reference, resolve, type Schema } from './document.ts';

/** Both versions of a part of the interface. */
export interface Versions<Part> {
  readonly released: Part;
  readonly current: Part;
}

/**
 * Whether clients send values of the schema, or read them. A new version may allow clients to send more values, never fewer.
 * It may return fewer values, never more.
 */
type Use = 'sent' | 'read';

type AnySchema = Schema | Reference;

/** Returns how the schema of a value changed so that clients break. */
export function schemaChanges(
  documents: Versions<Document>,
  schemas: Versions<AnySchema>,
  use: Use,
  at: string,
): readonly string[] {
  const released = resolve(documents.released, schemas.released);
  const current = resolve(documents.current, schemas.current);
  const compare = (parts: Versions<AnySchema>, place: string) => schemaChanges(documents, parts, use, place);
  return [
    ...typeChanges({ released, current }, use, at),
    ...boundChanges({ released, current }, use, at),
    ...variantChanges(documents, { released, current }, use, at),
    ...memberChanges({ released, current }, use, at, compare),
    ...(released.items && current.items
      ? compare({ released: released.items, current: current.items }, `${at}[]`)
      : []),
  ];
}

function typeChanges({ released, current }: Versions<Schema>, use: Use, at: string): readonly string[] {
  for (const keyword of ['format', 'pattern'] as const) {
    const [before, now] = [released[keyword], current[keyword]];
    // A narrower description still holds for clients that read by the old one.
    const isWithin = (use === 'read' ? before : now) === undefined;
    if (before !== now && !isWithin) return [`${at}: ${keyword} was ${before}, and is ${now}`];
  }
  return [
    ...setChanges(typesOf(released), typesOf(current), use, at),
    ...setChanges(valuesOf(released), valuesOf(current), use, at),
  ];
}

type Possible = readonly string[] | undefined;

/** Types or values that are possible; without a list, all. */
function setChanges(before: Possible, now: Possible, use: Use, at: string): readonly string[] {
  const [fewer, more] = use === 'read' ? [now, before] : [before, now];
  if (more === undefined) return [];
  if (fewer === undefined) return [`${at}: can be anything ${use === 'read' ? 'now' : 'no more'}`];
  return fewer
    .filter((each) => !more.includes(each))
    .map((each) => `${at}: ${each} is ${use === 'read' ? 'new' : 'not accepted any more'}`);
}

function typesOf({ type }: Schema): Possible {
  return type === undefined ? undefined : [type].flat();
}

function valuesOf({ const: only, enum: several }: Schema): Possible {
  if (only !== undefined) return [JSON.stringify(only)];
  return several?.map((value) => JSON.stringify(value));
}

/** Bounds of what is read are no promise. */
function boundChanges({ released, current }: Versions<Schema>, use: Use, at: string): readonly string[] {
  if (use === 'read') return [];
  const lower = (['maxLength', 'maximum'] as const).filter(
    (keyword) => (current[keyword] ?? Infinity) < (released[keyword] ?? Infinity),
  );
  const higher = (['minLength', 'minimum'] as const).filter(
    (keyword) => (current[keyword] ?? -Infinity) > (released[keyword] ?? -Infinity),
  );
  return [...lower, ...higher].map(
    (keyword) => `${at}: ${keyword} was ${released[keyword]}, and is ${current[keyword]}`,
  );
}

function variantChanges(
  documents: Versions<Document>,
  { released, current }: Versions<Schema>,
  use: Use,
  at: string,
): readonly string[] {
  const [before, now] = [released, current].map(({ anyOf, oneOf }) => anyOf ?? oneOf ?? []) as [
    AnySchema[],
    AnySchema[],
  ];
  const fits = (parts: Versions<AnySchema>) => schemaChanges(documents, parts, use, at).length === 0;
  if (use === 'read') {
    const added = now.some((each) => !before.some((known) => fits({ released: known, current: each })));
    return added ? [`${at}: can be something that it could not be`] : [];
  }
  const lost = before.some((each) => !now.some((known) => fits({ released: each, current: known })));
  return lost ? [`${at}: cannot be something that it could be`] : [];
}

function memberChanges(
  { released, current }: Versions<Schema>,
  use: Use,
  at: string,
  compare: (parts: Versions<AnySchema>, at: string) => readonly string[],
): readonly string[] {
  const known = Object.entries(released.properties ?? {}).flatMap(([name, before]) => {
    const now = current.properties?.[name];
    return now ? compare({ released: before, current: now }, `${at}.${name}`) : [`${at}.${name}: is gone`];
  });
  const [had, has] = [released.required ?? [], current.required ?? []];
  const demanded =
    use === 'sent'
      ? has.filter((name) => !had.includes(name)).map((name) => `${at}.${name}: is required now`)
      : had
          .filter((name) => !has.includes(name) && current.properties?.[name])
          .map((name) => `${at}.${name}: was always there, and need not be now`);
  return [...known, ...demanded];
}
