// The SDK's server, with errors that say what to do: parameters of another shape are -32602 in
// words, and what went wrong on our side is never shown.
import {
  type Implementation,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server'

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

export class PlainServer extends Server {
  readonly #noted: (error: Error) => void

  /** `noted` is told what went wrong on our side. */
  constructor(info: Implementation, options: ServerOptions, noted: (error: Error) => void) {
    super(info, options)
    this.#noted = noted
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const inner = super._wrapHandler(method, handler)
    return async (request, context) => {
      try {
        return await inner(request, context)
      } catch (error) {
        throw this.#told(method, error)
      }
    }
  }

  #told(method: string, error: unknown): unknown {
    if (!(error instanceof Error) || 'code' in error) return error
    const issues = issuesOf(error.message)
    if (issues === undefined) {
      this.#noted(error)
      return new ProtocolError(ProtocolErrorCode.InternalError, 'Something went wrong on our side')
    }
    const words = `Parameters of ${method} are of another shape: ${issues.join('; ')}`
    return new ProtocolError(ProtocolErrorCode.InvalidParams, words)
  }
}

/** The SDK throws what its schemas say as the JSON of a list, and tells it by nothing else. */
function issuesOf(message: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(message)
    if (!Array.isArray(list) || list.length === 0) return undefined
    return list.map((issue) => {
      const { path, message: words } = Object(issue)
      return `${[path].flat().join('.')}: ${words}`
    })
  } catch {
    return undefined
  }
}
