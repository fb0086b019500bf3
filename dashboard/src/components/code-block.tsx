// Code to copy, such as a curl command.
import { CopyButton } from './copy-button.tsx'

export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <figure className="flex items-start rounded-lg border border-line bg-sunken text-left">
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled by keyboard
        tabIndex={0}
        aria-label={label}
        className="min-w-0 grow overflow-x-auto rounded-lg py-3 pl-4"
      >
        <pre className="font-mono text-xs leading-relaxed">
          <code>{code}</code>
        </pre>
      </section>
      <div className="p-1.5">
        <CopyButton text={code} />
      </div>
    </figure>
  )
}
