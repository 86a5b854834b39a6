export { findMasterKey } from './find-master-key.ts';
export { masterKeySettings } from './master-key-settings.ts';
export { openMasterKey } from './open-master-key.ts';
