// Plays a scenario (JSON on stdin, see playing.py) by the TypeScript SDK; prints what it saw.
// Usage: node typescript_sdk.mjs NODE_MODULES
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

// The SDK is not installed beside this file, where a plain import would look for it.
const require = createRequire(join(resolve(process.argv[2]), 'x'));
const load = (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)));
const { Client } = await load('client/index.js');
const { StdioClientTransport } = await load('client/stdio.js');
const types = await load('types.js');

const LONG = 2000; // characters of a string above which its length and hash stand for it
const PATIENCE = 50_000; // milliseconds for a whole scenario; the test waits a little longer

const SERVER_REQUESTS = {
  'roots/list': ['roots', types.ListRootsRequestSchema],
  'sampling/createMessage': ['sampling', types.CreateMessageRequestSchema],
  'elicitation/create': ['elicitation', types.ElicitRequestSchema],
};

const scenario = JSON.parse(await text(process.stdin));
const asked = [];
const told = [];
const seen = new Map();

function event(method) {
  if (!seen.has(method)) {
    const event = {};
    event.promise = new Promise((resolve) => (event.resolve = resolve));
    seen.set(method, event);
  }
  return seen.get(method);
}

function createClient() {
  const offers = Object.keys(scenario.answers).map((method) => [SERVER_REQUESTS[method][0], {}]);
  const client = new Client({ name: 'end-to-end', version: '1' }, { capabilities: Object.fromEntries(offers) });
  for (const [method, answer] of Object.entries(scenario.answers)) {
    client.setRequestHandler(SERVER_REQUESTS[method][1], async ({ params }) => {
      asked.push({ method, params: params ?? null });
      event(method).resolve();
      return answer;
    });
  }
  client.fallbackNotificationHandler = async (notification) => {
    told.push(notification);
    event(notification.method).resolve();
  };
  return client;
}

const camelCase = (name) => name.replace(/(^|_)(.)/g, (_match, _separator, letter) => letter.toUpperCase());

const actions = {
  list: (client, { what }) => client[`list${camelCase(what)}`](),
  read: (client, { uri }) => client.readResource({ uri }),
  get: (client, { prompt, arguments: args }) => client.getPrompt({ name: prompt, arguments: args }),
  ping: (client) => client.ping(),
  await: async (_client, { method }) => (await event(method).promise) ?? null,
  together: (client, { steps }) => Promise.all(steps.map((step) => outcome(client, step))),

  async call(client, { tool, arguments: args, progress: follow }) {
    const progress = [];
    const onprogress = ({ progress: done, total, message }) => {
      // The SDK forgets a call's progress as soon as it has read the answer, and handles notifications
      // a little later than answers: an event that was read in one chunk with the answer is lost.
      if (done !== total) progress.push([done, total ?? null, message ?? null]);
    };
    const result = await client.callTool({ name: tool, arguments: args }, undefined, follow ? { onprogress } : {});
    return { result, progress };
  },

  // Abandons a call as soon as it is known to be running: at its first progress.
  async cancel(client, { tool, arguments: args }) {
    const abort = new AbortController();
    const options = { onprogress: () => abort.abort('abandoned'), signal: abort.signal };
    await client.callTool({ name: tool, arguments: args }, undefined, options);
    return { finished: true };
  },
};

async function outcome(client, step) {
  try {
    return await actions[step.do](client, step);
  } catch (error) {
    return { failed: described(error) };
  }
}

function described(error) {
  return { type: error?.constructor?.name, code: error?.code ?? null, text: String(error?.message ?? error) };
}

function shortened(_key, value) {
  if (typeof value !== 'string' || value.length <= LONG) return value;
  return { length: value.length, sha256: createHash('sha256').update(value).digest('hex') };
}

const sorted = (items) => items.map((item) => JSON.stringify(item)).sort().map((item) => JSON.parse(item));

async function play() {
  const [command, ...args] = scenario.command;
  const transport = new StdioClientTransport({ command, args, stderr: 'pipe' });
  const stderr = text(transport.stderr);
  const client = createClient();
  // The transport forgets its process, and so how the server ended, while it closes.
  let end = null;
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    end = new Promise((resolve) => transport._process.once('close', (code, signal) => resolve(signal ?? code)));
  };
  let connected;
  const steps = [];
  try {
    await client.connect(transport);
    connected = {
      serverInfo: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      instructions: client.getInstructions(),
    };
    for (const step of scenario.steps) steps.push(await outcome(client, step));
  } catch (error) {
    connected = { failed: described(error) };
  }
  await client.close();
  return { connected, steps, asked: sorted(asked), told: sorted(told), stderr: await stderr, end: await end };
}

const timer = setTimeout(() => {
  console.error('the scenario took too long', JSON.stringify({ asked, told }));
  process.exit(1);
}, PATIENCE);
process.stdout.write(JSON.stringify(await play(), shortened) + '\n', () => clearTimeout(timer));
