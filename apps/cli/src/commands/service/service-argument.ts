import { SERVICE_NAME } from '../../input/parsers.ts';

/** The argument that names a service. */
export const SERVICE = { ...SERVICE_NAME, description: "The service's name" } as const;
