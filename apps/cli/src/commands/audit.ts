import { auditExport } from './audit/export.ts';
import { auditList } from './audit/list.ts';
import { auditPrune } from './audit/prune.ts';
import { auditReapply } from './audit/reapply.ts';
import { auditVerify } from './audit/verify.ts';

export const commands = [auditList, auditExport, auditVerify, auditPrune, auditReapply];
