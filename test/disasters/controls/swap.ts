// Puts another module in the place of one of the product's, in a control run: protection out, the
// auditor must see it.
import { registerHooks } from 'node:module'

/** Every import of src/`path` gets the module at `url` instead, but for that module's own. */
export function swap(path: string, url: string): void {
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      const swapped = resolved.url.endsWith(`/src/${path}`)
      return swapped && !context.parentURL?.includes('/controls/') ? { ...resolved, url } : resolved
    },
  })
}
