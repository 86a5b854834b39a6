declare const brand: unique symbol;

/** A type that only its own parser produces, so that no other code needs to validate the value again. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
