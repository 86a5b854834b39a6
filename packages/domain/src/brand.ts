declare const brand: unique symbol;

/** A value that only its own parser makes, so that it need not be checked again further in. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
