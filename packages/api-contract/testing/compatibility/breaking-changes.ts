import {
  type Answer,
  type Document,
  type Operation,
  type Parameter,
  resolve,
  type Schema,
} from './document.ts';
import { schemaChanges, type Versions } from './schema-changes.ts';

/** Returns each change of the interface that breaks a client of the released one: where, what it was, and what it is. */
export function breakingChanges(released: Document, current: Document): readonly string[] {
  const documents = { released, current };
  return Object.entries(released.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, before]) => {
      const at = `${method.toUpperCase()} ${path}`;
      const now = current.paths[path]?.[method];
      return now ? operationChanges(documents, { released: before, current: now }, at) : [`${at}: is gone`];
    }),
  );
}

function operationChanges(
  documents: Versions<Document>,
  { released, current }: Versions<Operation>,
  at: string,
): readonly string[] {
  const changes: string[] = [];
  if (released.operationId !== current.operationId) {
    changes.push(`${at}: operationId was ${released.operationId}, and is ${current.operationId}`);
  }
  if (released.security.length === 0 && current.security.length > 0) changes.push(`${at}: needs a token now`);
  return [
    ...changes,
    ...parameterChanges(documents, { released, current }, at),
    ...bodyChanges(documents, { released, current }, at),
    ...answerChanges(documents, { released, current }, at),
  ];
}

function parameterChanges(
  documents: Versions<Document>,
  { released, current }: Versions<Operation>,
  at: string,
): readonly string[] {
  const byPlace = (document: Document, { parameters }: Operation) =>
    new Map(
      parameters.map((each) => {
        const parameter = resolve<Parameter>(document, each);
        return [`${parameter.in} ${parameter.name}`, parameter] as const;
      }),
    );
  const before = byPlace(documents.released, released);
  const now = byPlace(documents.current, current);
  const kept = [...before].flatMap(([place, parameter]) => {
    const other = now.get(place);
    if (!other) return [`${at} ${place}: is gone`];
    const schemas = { released: parameter.schema, current: other.schema };
    return schemaChanges(documents, schemas, 'sent', `${at} ${place}`);
  });
  const demanded = [...now]
    .filter(([place, { required }]) => required && !before.get(place)?.required)
    .map(([place]) => `${at} ${place}: is required now`);
  return [...kept, ...demanded];
}

function bodyChanges(
  documents: Versions<Document>,
  { released, current }: Versions<Operation>,
  at: string,
): readonly string[] {
  if (!released.requestBody) return current.requestBody ? [`${at}: needs a body now`] : [];
  return Object.entries(released.requestBody.content).flatMap(([type, { schema }]) => {
    const now = current.requestBody?.content[type];
    if (!now) return [`${at}: does not take ${type} any more`];
    return schemaChanges(documents, { released: schema, current: now.schema }, 'sent', `${at} body`);
  });
}

function answerChanges(
  documents: Versions<Document>,
  { released, current }: Versions<Operation>,
  at: string,
): readonly string[] {
  const added = Object.keys(current.responses)
    .filter((status) => !(status in released.responses))
    .map((status) => `${at}: can answer ${status} now`);
  const kept = Object.entries(released.responses).flatMap(([status, before]) => {
    const now = current.responses[status];
    if (!now) return [`${at}: does not answer ${status} any more`];
    return [
      ...headerChanges(documents, { released: before, current: now }, `${at} ${status}`),
      ...contentChanges(documents, { released: before, current: now }, `${at} ${status}`),
    ];
  });
  return [...added, ...kept];
}

function headerChanges(
  documents: Versions<Document>,
  { released, current }: Versions<Answer>,
  at: string,
): readonly string[] {
  return Object.entries(released.headers ?? {}).flatMap(([name, header]) => {
    const now = current.headers?.[name];
    if (!now) return [`${at} ${name}: is gone`];
    const wasRequired = resolve<{ readonly required?: boolean }>(documents.released, header).required;
    const isRequired = resolve<{ readonly required?: boolean }>(documents.current, now).required;
    return wasRequired && !isRequired ? [`${at} ${name}: was always there, and need not be now`] : [];
  });
}

const PROBLEM = 'application/problem+json';

function contentChanges(
  documents: Versions<Document>,
  { released, current }: Versions<Answer>,
  at: string,
): readonly string[] {
  return Object.entries(released.content ?? {}).flatMap(([type, { schema }]) => {
    const now = current.content?.[type];
    if (!now) return [`${at}: is no ${type} any more`];
    if (type !== PROBLEM)
      return schemaChanges(documents, { released: schema, current: now.schema }, 'read', at);
    // A status may get further problems, and titles may change.
    const left = problemTypes(documents.current, now.schema);
    const gone = problemTypes(documents.released, schema).filter((each) => !left.includes(each));
    return gone.map((each) => `${at}: ${each} is gone`);
  });
}

function problemTypes(document: Document, part: Parameter['schema']): readonly string[] {
  const schema = resolve(document, part);
  return (schema.oneOf ?? [schema]).flatMap((each) => {
    const type = resolve<Schema>(document, each).properties?.type;
    return type ? [String(resolve<Schema>(document, type).const)] : [];
  });
}
