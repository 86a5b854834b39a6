#!/usr/bin/env node
// The server of the package `gatehouse`. Node's flags can only be set when it is started, so the server is a child of
// this process. An older Node has to understand this file, too.
const { join } = require('node:path');
const { isNewEnough, runByNewerNode, supervised } = require('../launch/launch.cjs');
const flags = require('../launch/node-flags.json');

const server = [...flags, join(__dirname, '../programs/gatehouse-server.js')];
// The server ends when the channel does, so it also ends if this process is killed.
if (isNewEnough()) supervised(process.execPath, server, { channel: true });
else runByNewerNode('gatehouse-server', server, { channel: true });
