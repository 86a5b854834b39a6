import { z } from 'zod';

/** The setting that names the data folder; a relative path counts from the working directory. */
export const embeddedPostgresSettings = {
  GATEHOUSE_DATA_DIR: z.string().min(1).default('.gatehouse'),
};
