/** A program that is connected to the database, such as a server or a command, and that knows an older schema. */
export interface OlderProgram {
  /** The name of its connection. It has no edition if the program is older than editions. */
  readonly application: string;
  /** The number of its connections. */
  readonly connections: number;
}

/** The error for a restriction that programs of an older edition would not obey. */
export interface OlderEditionServes {
  readonly code: 'older_edition_serves';
  readonly programs: readonly OlderProgram[];
}

/**
 * Finds the programs of older editions that use the database now. During a rolling upgrade, they accept tokens without
 * the restrictions that came later. An older program cannot start on a newer schema, so once none is found, none
 * begins to serve. Implementations pass `editionsContract`.
 */
export interface Editions {
  findOlder(): Promise<readonly OlderProgram[]>;
}
