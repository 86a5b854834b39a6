import { readFileSync, writeFileSync } from 'node:fs';

/** The kinds in the manifests. */
const KINDS = [
  'io.k8s.api.apps.v1.Deployment',
  'io.k8s.api.batch.v1.Job',
  'io.k8s.api.core.v1.ConfigMap',
  'io.k8s.api.core.v1.Namespace',
  'io.k8s.api.core.v1.Secret',
  'io.k8s.api.core.v1.Service',
  'io.k8s.api.networking.v1.Ingress',
  'io.k8s.api.networking.v1.NetworkPolicy',
  'io.k8s.api.policy.v1.PodDisruptionBudget',
];

type Schema = { [keyword: string]: unknown };

/** Numbers may stand for these strings. */
const NUMBERS = new Set([
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  'io.k8s.apimachinery.pkg.api.resource.Quantity',
]);

/**
 * Leaves out texts and keywords that JSON Schema does not know, and refuses fields that a schema does not name, as the
 * API does.
 */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== 'object' || value === null) return value;
  const { description: _, format: _format, ...schema }: Schema = { ...value };
  const kept = Object.entries(schema).filter(([keyword]) => !keyword.startsWith('x-kubernetes-'));
  const properties = 'properties' in schema && Object.entries(schema.properties as Schema);
  return {
    ...Object.fromEntries(kept.map(([keyword, each]) => [keyword, strict(each)])),
    ...(properties && {
      properties: Object.fromEntries(properties.map(([name, each]) => [name, strict(each)])),
      additionalProperties: false,
    }),
  };
}

/** Returns the names of a kind in manifests. */
function named(definition: Schema = {}): Record<string, string> {
  const [name] = definition['x-kubernetes-group-version-kind'] as [Record<string, string>];
  return name;
}

/**
 * Writes the schemas of these kinds, and the schemas that they refer to, from Kubernetes' OpenAPI document.
 * `SOURCES.md` says how.
 */
function extract(document: string): void {
  const { definitions }: { definitions: Record<string, Schema> } = JSON.parse(readFileSync(document, 'utf8'));
  const taken: Record<string, unknown> = {};
  const take = (name: string) => {
    if (name in taken) return;
    const definition = definitions[name] ?? {};
    const schema = NUMBERS.has(name) ? { type: ['string', 'number'] } : strict(definition);
    taken[name] = schema;
    for (const [, next = ''] of JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)) take(next);
  };
  for (const kind of KINDS) {
    take(kind);
    const name = named(definitions[kind]);
    const { properties, ...schema } = taken[kind] as { properties: Schema };
    const apiVersion = { const: [name.group, name.version].filter(Boolean).join('/') };
    taken[kind] = {
      ...schema,
      properties: { ...properties, apiVersion, kind: { const: name.kind } },
      required: ['apiVersion', 'kind', 'metadata'],
    };
  }
  const sorted = Object.fromEntries(Object.entries(taken).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const schemas = { kinds: KINDS, definitions: sorted };
  writeFileSync(new URL('kubernetes-1.30.json', import.meta.url), `${JSON.stringify(schemas)}\n`);
}

extract(process.argv[2] ?? '');
