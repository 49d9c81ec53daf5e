//#import globals.wgsl
//#import color.wgsl
//#import posed.wgsl
//#import surface.wgsl
