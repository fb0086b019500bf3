// Replaces a module of the product in a negative control: a protection is removed, and the auditor
// must find the damage.
import { registerHooks } from 'node:module'

/** Resolves imports of src/`path` to the module at `url`, except those of that module. */
export function swap(path: string, url: string): void {
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      const swapped = resolved.url.endsWith(`/src/${path}`)
      return swapped && !context.parentURL?.includes('/controls/') ? { ...resolved, url } : resolved
    },
  })
}
