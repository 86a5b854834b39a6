/** Schemas that PostgreSQL or Gatehouse has for other purposes. */
const RESERVED = /^(pg_.*|public|information_schema)$/;

/**
 * Returns the PostgreSQL schema of an extension, such as `shift_notes` for `shift-notes`.
 *
 * @throws TypeError if the name is not in lower case with dashes, has more than 40 characters, or is reserved
 */
export function schemaOf(extension: string): string {
  const schema = extension.replaceAll('-', '_');
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(schema) || extension.includes('_') || RESERVED.test(schema)) {
    throw new TypeError(
      `an extension with tables cannot have the name ${extension}: use at most 40 lower-case letters, digits and dashes`,
    );
  }
  return schema;
}
