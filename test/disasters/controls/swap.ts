// Puts another module in the place of the verdict, in a control run: protection out, the auditor
// must see it.
import { registerHooks } from 'node:module'

/** Every import of capabilities/domains/verdict.ts gets the module at `url` instead. */
export function swapVerdict(url: string): void {
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      const swapped = resolved.url.endsWith('/capabilities/domains/verdict.ts')
      return swapped && !context.parentURL?.includes('/controls/') ? { ...resolved, url } : resolved
    },
  })
}
