/**
 * The number of the newest migration that this program knows. A test compares it with the migrations. It is a constant,
 * because a connection must not load all migrations.
 */
export const EDITION = 38;

/**
 * Returns the name of a connection in `pg_stat_activity`. It ends with the edition, so that other programs see whether
 * this one knows a newer restriction. A name in the URL of the database replaces it.
 */
export const applicationName = (name = 'gatehouse') => `${name} ${EDITION}`;
