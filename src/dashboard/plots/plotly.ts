/** Our Plotly: SVG traces only (no WebGL: slower without a GPU and needs exceptions from the security policy). */
import bar from 'plotly.js/lib/bar';
import Plotly from 'plotly.js/lib/core';
import heatmap from 'plotly.js/lib/heatmap';
import histogram from 'plotly.js/lib/histogram';

Plotly.register([bar, heatmap, histogram]);

export default Plotly;
