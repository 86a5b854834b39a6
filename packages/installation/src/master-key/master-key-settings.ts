import { parseMasterKey } from '@gatehouse/key-encryption';
import { z } from 'zod';

/** The source of the master key. At most one of the two is set, which `loadMasterKey` checks. */
export const masterKeySettings = {
  GATEHOUSE_MASTER_KEY: z
    .string()
    .transform((text, context) => {
      const parsed = parseMasterKey(text);
      if (parsed.ok) return parsed.value;
      context.addIssue({ code: 'custom', message: parsed.error.message });
      return z.NEVER;
    })
    .optional(),
  GATEHOUSE_MASTER_KEY_FILE: z.string().min(1).optional(),
};
