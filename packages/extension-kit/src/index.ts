export { defineExtension, type Extension } from './extension.ts';
