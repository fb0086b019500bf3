// A secret that the service returns once. It is shown whole for the user to copy, and the browser
// asks before the page is left.
import { useEffect } from 'react'
import { CopyButton } from '../copy-button.tsx'

export function SecretOnce({ label, value }: { label: string; value: string }) {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [])
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-sm font-medium">{label}</p>
      <div className="flex items-start gap-2 rounded-lg border border-line bg-sunken py-2 pr-2 pl-4">
        <code className="min-w-0 grow py-1.5 font-mono text-sm break-all">{value}</code>
        <CopyButton text={value} />
      </div>
    </div>
  )
}
