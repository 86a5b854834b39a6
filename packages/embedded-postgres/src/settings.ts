import { z } from 'zod';

/** The setting for the data folder; a relative path is resolved from the working directory. */
export const embeddedPostgresSettings = {
  GATEHOUSE_DATA_DIR: z.string().min(1).default('.gatehouse'),
};
