// A server on version 2 of the TypeScript SDK, which speaks both eras.
// Usage: node typescript_sdk_2.mjs NODE_MODULES
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// The SDK is not installed beside this file, where a plain import would look for it.
const require = createRequire(join(resolve(process.argv[2]), 'x'));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { McpServer, ResourceTemplate, fromJsonSchema } = await load('@modelcontextprotocol/server');
const { serveStdio } = await load('@modelcontextprotocol/server/stdio');

const object = (properties) => fromJsonSchema({ type: 'object', properties, required: Object.keys(properties) });

serveStdio(() => {
  const server = new McpServer({ name: 'shelf', version: '2.0.1' }, { instructions: 'Count before you add.' });
  server.registerTool(
    'count',
    {
      title: 'Count books',
      description: 'How many books stand on a shelf.',
      inputSchema: object({ shelf: { type: 'string' } }),
      outputSchema: object({ books: { type: 'integer' } }),
      annotations: { readOnlyHint: true },
    },
    ({ shelf }) => {
      const structuredContent = { books: shelf.length };
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );
  server.registerResource('index', 'shelf://index', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Ärzte, Böden, Übungen' }],
  }));
  server.registerResource('book', new ResourceTemplate('shelf://book/{n}', { list: undefined }), {}, (uri) => ({
    contents: [{ uri: uri.href, text: 'A book.' }],
  }));
  server.registerPrompt(
    'recommend',
    { description: 'Ask for a book.', argsSchema: object({ topic: { type: 'string' } }) },
    ({ topic }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `A book on ${topic}?` } }] }),
  );
  return server;
});
