export { EmbeddedPostgresError, ForeignFolderError, NoBinariesError } from './embedded-postgres-error.ts';
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from './open-embedded-postgres.ts';
export { joinEmbeddedPostgres, openEmbeddedPostgres } from './open-embedded-postgres.ts';
