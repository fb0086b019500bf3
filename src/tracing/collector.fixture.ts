// An OTLP/HTTP receiver on a real socket, with the spans that a service has sent, as a collector
// would store them.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import Type, { type Static } from 'typebox'
import { compile } from '../kit/schema.ts'

const attribute = Type.Object({ key: Type.String(), value: Type.Record(Type.String(), Type.Any()) })
const span = Type.Object({
  traceId: Type.String(),
  spanId: Type.String(),
  parentSpanId: Type.Optional(Type.String()),
  name: Type.String(),
  kind: Type.Integer(),
  attributes: Type.Array(attribute),
  links: Type.Optional(Type.Array(Type.Object({ traceId: Type.String(), spanId: Type.String() }))),
  status: Type.Object({ code: Type.Optional(Type.Integer()) }),
})
const exported = compile(
  Type.Object({
    resourceSpans: Type.Array(
      Type.Object({
        resource: Type.Object({ attributes: Type.Array(attribute) }),
        scopeSpans: Type.Array(Type.Object({ spans: Type.Array(span) })),
      }),
    ),
  }),
)

export type CollectedSpan = Static<typeof span>
type Collector = {
  url: string
  spans: CollectedSpan[]
  /** Every body as it arrived. */
  bodies: string[]
  headers: Record<string, unknown>[]
  resource: Map<string, unknown>
  close: () => Promise<void>
}

/** With `answers` false, it accepts connections and never answers. */
export async function openCollector({ answers = true } = {}): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const headers: Record<string, unknown>[] = []
  const resource = new Map<string, unknown>()
  const server = createServer(async (request, response) => {
    if (!answers) return
    const body = await text(request)
    bodies.push(body)
    headers.push({ url: request.url, ...request.headers })
    for (const one of exported.parse(JSON.parse(body)).resourceSpans) {
      for (const { key, value } of one.resource.attributes)
        resource.set(key, Object.values(value)[0])
      spans.push(...one.scopeSpans.flatMap((scope) => scope.spans))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    ...{ spans, bodies, headers, resource },
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
