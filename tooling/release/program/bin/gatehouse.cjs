#!/usr/bin/env node
// The command line of the package `gatehouse`. An older Node has to understand this file, too.
const { isNewEnough, runByNewerNode } = require('../launch/launch.cjs');

if (isNewEnough()) require('../programs/gatehouse.js');
else runByNewerNode('gatehouse', [__filename]);
