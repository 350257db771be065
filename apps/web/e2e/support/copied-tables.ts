// Tables as various programs put them onto the clipboard: short, but with the peculiarities of each
// program.

/**
 * Tables with two columns, a heading across both, and cells that span two rows, as each program
 * writes them.
 */
export const copiedTables = {
  word: `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator content="Microsoft Word 15">
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]-->
<style><!-- table.MsoTableGrid {mso-style-name:"Table Grid"; border:solid windowtext 1.0pt;} --></style></head>
<body lang=EN-US><!--StartFragment--><p class=MsoNormal><b>Prices</b><o:p></o:p></p>
<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse;border:none;mso-border-alt:solid windowtext .5pt'>
 <tr style='mso-yfti-irow:0'><td width=623 colspan=2 valign=top style='width:467.5pt;border:solid windowtext 1.0pt'>
 <p class=MsoNormal style='margin-bottom:0in'>Heading over both<o:p></o:p></p></td></tr>
 <tr><td rowspan=2><p class=MsoNormal>Tall<o:p></o:p></p></td><td><p class=MsoNormal><b>Bold</b><o:p></o:p></p></td></tr>
 <tr><td><p class=MsoNormal><o:p>&nbsp;</o:p></p></td></tr>
 <![if !supportMisalignedColumns]><tr height=0><td width=300 style='border:none'></td><td width=323 style='border:none'></td></tr><![endif]>
</table><!--EndFragment--></body></html>`,
  excel: `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta name=ProgId content=Excel.Sheet>
<style><!--table {mso-displayed-decimal-separator:"\\.";} .xl65 {font-weight:700;}--></style></head>
<body link="#0563C1"><table border=0 cellpadding=0 cellspacing=0 width=128 style='border-collapse:collapse;width:96pt'>
<!--StartFragment--><col width=64 span=2 style='width:48pt'>
 <tr height=20><td colspan=2 height=20 class=xl65 width=128 style='height:15.0pt;width:96pt'>Heading over both</td></tr>
 <tr height=20><td rowspan=2 height=40>Tall</td><td align=right>12.50</td></tr>
 <tr height=20><td>Bold</td></tr>
<!--EndFragment--></table></body></html>`,
  sheets: `<meta charset='utf-8'><google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}--></style>
<table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" cellpadding="0" dir="ltr" border="1" style="table-layout:fixed;font-size:10pt;width:0px;border-collapse:collapse;border:none" data-sheets-root="1">
<colgroup><col width="100"/><col width="100"/></colgroup><tbody>
<tr style="height:21px;"><td style="overflow:hidden;padding:2px 3px;" rowspan="1" colspan="2" data-sheets-value="{}">Heading over both</td></tr>
<tr style="height:21px;"><td rowspan="2">Tall</td><td style="text-align:right;">12.50</td></tr>
<tr><td style="font-weight:bold;">Bold</td></tr></tbody></table></google-sheets-html-origin>`,
  libreOffice: `<!DOCTYPE html><html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"/>
<meta name="generator" content="LibreOffice 24.2 (Linux)"/><style type="text/css">body,div,table { font-family:"Liberation Sans"; }</style></head>
<body><table cellspacing="0" border="0"><colgroup span="2" width="85"></colgroup>
<tr><td colspan=2 height="17" align="center" valign=middle>Heading over both</td></tr>
<tr><td rowspan=2 height="34" align="left">Tall</td><td align="right" sdval="12.5" sdnum="1033;">12.50</td></tr>
<tr><td align="left"><b>Bold</b></td></tr></table></body></html>`,
} as const;
