import { Ajv } from 'ajv';
import schemas from './kubernetes-1.30.json' with { type: 'json' };

const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true });
ajv.addSchema({ definitions: schemas.definitions }, 'kubernetes');

/** The schemas of kinds by their names in manifests, such as `apps/v1 Deployment`. */
const KINDS = new Map(
  schemas.kinds.map((name) => {
    const validate = ajv.getSchema(`kubernetes#/definitions/${name}`);
    const schema = validate?.schema as { properties: Record<'apiVersion' | 'kind', { const: string }> };
    return [`${schema.properties.apiVersion.const} ${schema.properties.kind.const}`, validate];
  }),
);

/** Returns the errors of a manifest by Kubernetes' schemas; empty if there are none. */
export function schemaProblems(manifest: {
  readonly apiVersion: string;
  readonly kind: string;
}): readonly string[] {
  const kind = `${manifest.apiVersion} ${manifest.kind}`;
  const validate = KINDS.get(kind);
  if (validate === undefined) return [`there is no schema of ${kind}`];
  if (validate(manifest)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
