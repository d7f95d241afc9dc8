// Plays a scenario (JSON on stdin, see playing.py) by version 2 of the TypeScript SDK; prints what failed.
// It knows the steps of fleet.py. Usage: node typescript_sdk_2.mjs NODE_MODULES
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

// The SDK is not installed beside this file, where a plain import would look for it.
const require = createRequire(join(resolve(process.argv[2]), 'x'));
const load = (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/client${name}`)));
const { Client } = await load('');
const { StdioClientTransport } = await load('/stdio');

const PATIENCE = 50_000; // milliseconds for a whole scenario; the test waits a little longer

const lists = {
  tools: 'listTools',
  resources: 'listResources',
  resource_templates: 'listResourceTemplates',
  prompts: 'listPrompts',
};
const actions = {
  list: (client, { what }) => client[lists[what]](),
  call: (client, { tool, arguments: args }) => client.callTool({ name: tool, arguments: args }),
  read: (client, { uri }) => client.readResource({ uri }),
  get: (client, { prompt, arguments: args }) => client.getPrompt({ name: prompt, arguments: args }),
};

const scenario = JSON.parse(await text(process.stdin));
const timer = setTimeout(() => {
  console.error('the scenario took too long');
  process.exit(1);
}, PATIENCE);

const [command, ...args] = scenario.command;
const transport = new StdioClientTransport({ command, args, stderr: 'ignore' });
const client = new Client(
  { name: 'end-to-end-2', version: '1' },
  { versionNegotiation: { mode: scenario.mode } },
);
await client.connect(transport);
const steps = [];
for (const step of scenario.steps) {
  try {
    await actions[step.do](client, step);
    steps.push({});
  } catch (error) {
    steps.push({ failed: String(error) });
  }
}
await client.close();
process.stdout.write(JSON.stringify({ connected: {}, steps }) + '\n', () => clearTimeout(timer));
