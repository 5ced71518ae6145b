// GET /docs: the contract to read, in a viewer that is served from here. The page can talk to this server alone, and it offers no
// "try it out": every POST /v1/calls rings a real phone.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Nothing is sent from here, so the viewer's choice of server and its place for keys are hidden. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Errand API</title>
    <link rel="stylesheet" href="/docs/viewer.css" />
    <link rel="icon" href="data:," />
    <style>
      .scheme-container { display: none; }
    </style>
  </head>
  <body>
    <noscript>This page needs JavaScript; the same contract is in <a href="/openapi.json">openapi.json</a>.</noscript>
    <div id="viewer"></div>
    <script src="/docs/viewer.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 1,
  supportedSubmitMethods: [],
  validatorUrl: null,
});
`;

/** Styles are set by the viewer's script, so inline ones are allowed; nothing is loaded from elsewhere. */
const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const;

interface Asset {
  readonly type: string;
  readonly load: () => Promise<Buffer>;
}

const ASSETS: Readonly<Record<string, Asset>> = {
  '/docs': { type: 'text/html; charset=utf-8', load: async () => Buffer.from(PAGE) },
  '/docs/start.js': { type: 'text/javascript; charset=utf-8', load: async () => Buffer.from(START) },
  '/docs/viewer.js': { type: 'text/javascript; charset=utf-8', load: () => readViewer('swagger-ui-bundle.js') },
  '/docs/viewer.css': { type: 'text/css; charset=utf-8', load: () => readViewer('swagger-ui.css') },
};

export function routeDocs(app: FastifyInstance): void {
  for (const [path, asset] of Object.entries(ASSETS)) {
    let packed: Promise<Buffer> | undefined;
    let plain: Promise<Buffer> | undefined;
    app.get(path, async (request, reply) => {
      reply.headers(SECURITY_HEADERS).header('vary', 'accept-encoding').header('cache-control', 'max-age=300');
      reply.type(asset.type);
      plain ??= asset.load();
      if (!takesGzip(request)) return reply.send(await plain);
      packed ??= plain.then((bytes) => promisify(gzip)(bytes));
      return reply.header('content-encoding', 'gzip').send(await packed);
    });
  }
}

function takesGzip(request: FastifyRequest): boolean {
  return /(^|[\s,])gzip(\s*;\s*q=(1|0?\.[0-9]*[1-9][0-9]*))?\s*(,|$)/i.test(String(request.headers['accept-encoding']));
}

function readViewer(file: string): Promise<Buffer> {
  return readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${file}`)));
}
