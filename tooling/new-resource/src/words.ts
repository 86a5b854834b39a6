const list = (text: string) => new Set(text.trim().split(/\s+/));

/** Words that cannot be the name of a variable in a TypeScript module. */
export const RESERVED_WORDS = list(`
  abstract any as async await bigint boolean break case catch class const continue debugger declare default delete do
  else enum export extends false finally for from function get if implements import in infer instanceof interface
  keyof let module namespace never new null number object of package private protected public readonly require return
  set static string super switch symbol this throw true try type typeof undefined unique unknown using var void while
  with yield arguments eval`);

/** Words that cannot be the name of a PostgreSQL schema without quotes (its manual, appendix C). */
export const POSTGRES_WORDS = list(`
  all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation
  column concurrently constraint create cross current_catalog current_date current_role current_schema current_time
  current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze
  from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit
  localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references
  returning right select session_user similar some symmetric system_user table tablesample then to trailing true union
  unique user using variadic verbose when where window with`);
