/** The look of pages we write: one column, light and dark, printable; no external font, no script. */
import { pagePaletteCss } from '../../figures/page-palette.ts';

export const pageFont =
  "Inter, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

export function pageStyle(): string {
  return `${pagePaletteCss()}
*{box-sizing:border-box}
body{margin:0;background:var(--f-surface);color:var(--f-text);font:14px/22px ${pageFont};-webkit-text-size-adjust:100%}
main{max-width:1180px;margin:0 auto;padding:24px 24px 48px}
h1{font-size:20px;line-height:28px;font-weight:600;letter-spacing:-.017em;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:16px;line-height:24px;font-weight:600;margin:32px 0 8px}
h3{font-size:13px;line-height:20px;font-weight:600;margin:20px 0 6px;overflow-wrap:anywhere}
p{margin:0 0 8px;max-width:68ch}
.dim{color:var(--f-dim)}
.facts{display:flex;flex-wrap:wrap;gap:2px 16px;color:var(--f-dim);font-size:13px}
.facts b{color:var(--f-text);font-weight:500}
.verdict{border:1px solid var(--f-border);border-left-width:4px;border-radius:8px;padding:12px 16px;margin:16px 0}
.verdict strong{font-size:16px;font-weight:600}
.verdict ul{margin:6px 0 0;padding-left:20px}
.verdict[data-state=bad]{border-left-color:var(--f-bad)}
.verdict[data-state=warn]{border-left-color:var(--f-warn)}
.verdict[data-state=good]{border-left-color:var(--f-chain-3)}
.scroll{overflow-x:auto;border:1px solid var(--f-border);border-radius:8px}
table{border-collapse:collapse;width:100%;font-size:13px;line-height:20px;font-variant-numeric:tabular-nums lining-nums}
th{font-size:12px;font-weight:500;color:var(--f-dim);text-align:right;white-space:nowrap}
th,td{padding:6px 9px;border-bottom:1px solid var(--f-border)}
tr:last-child td{border-bottom:0}
td{text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left}
code,pre,td:first-child{font-family:ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace;overflow-wrap:anywhere}
pre{margin:0;padding:9px;font-size:13px;line-height:20px}
td:first-child{white-space:normal;min-width:9em}
th:first-child,td:first-child{position:sticky;left:0;background:var(--f-surface)}
.bad{color:var(--f-bad);font-weight:600}
.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:16px}
figure{margin:0;border:1px solid var(--f-border);border-radius:8px;padding:8px;break-inside:avoid;min-width:0}
figure svg{display:block;width:100%;height:auto}
figure.wide{max-width:780px;overflow-x:auto}
figure.wide svg{min-width:520px}
figcaption{font-size:12px;line-height:16px;color:var(--f-dim);padding:4px 4px 0}
.left-out li{color:var(--f-dim)}
footer{margin-top:40px;color:var(--f-faint);font-size:12px}
@media (max-width:767px){main{padding:16px 12px 32px}h1{font-size:18px;line-height:24px}}
@media print{figure.wide{overflow:visible}main{max-width:none;padding:0}.scroll{overflow:visible;border:0}thead{display:table-header-group}tr{break-inside:avoid}h2{break-after:avoid}
.grid{grid-template-columns:1fr 1fr}table{font-size:10px;line-height:14px}th,td{padding:3px 4px}th{font-size:9px}td:first-child{min-width:0}}
`;
}
