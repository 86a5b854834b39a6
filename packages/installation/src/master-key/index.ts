export { findMasterKey, masterKeySettings, openMasterKey } from './find-master-key.ts';
