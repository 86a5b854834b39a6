#!/usr/bin/env node
// The server of the package `gatehouse`. Node's flags can only be set when it is started, so the server is a child of
// this process. An older Node has to understand this file, too.
const { join } = require('node:path');
const { isNewEnough, runByNewerNode, supervised } = require('../launch/launch.cjs');
const flags = require('../launch/node-flags.json');
const { version } = require('../package.json');

const HELP = `Usage: gatehouse-server

Starts the server. It takes no options: its settings are environment variables, such as DATABASE_URL and PORT.
For all other tasks, such as creating the tables and an account, run "gatehouse help".
`;

const server = [...flags, join(__dirname, '../programs/gatehouse-server.js')];
const [option] = process.argv.slice(2);
if (option === '--version') process.stdout.write(`${version}\n`);
else if (option === '--help' || option === '-h') process.stdout.write(HELP);
// The server ends when the channel does, so it also ends if this process is killed.
else if (isNewEnough()) supervised(process.execPath, server, { channel: true });
else runByNewerNode('gatehouse-server', server, { channel: true });
